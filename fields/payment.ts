import { amountText, CURRENCIES } from './as-text/currencies.ts';
import { isUnset } from './block-options/options.ts';
import { type Answers, type JsonObject, type JsonValue, ownMember, type Property } from './property.ts';
import { onlyMention } from './texts/mentions.ts';
import { canonicalTypeName } from './type-names.ts';

/** Whole units of the currency: the most that one response can cost. */
export const MAX_AMOUNT = 999_999.99;
const LEAST_FIXED = 1;

/** Whole units: the least that can be due in a currency. @param code of the currency */
export function leastDue(code: string): number {
  return CURRENCIES.get(code)?.least ?? 0;
}

/** Whole units: the least amount that a block may ask from everybody. @param code of the currency */
export function leastFixed(code: string): number {
  return Math.max(LEAST_FIXED, leastDue(code));
}

/** What a payment block asks for. */
export interface PaymentBlock {
  id: string;
  /** Whole units; or the id of the field, or of the calculation, whose value it is. */
  amount: number | { of: string };
  /** ISO 4217, upper case. */
  currency: string;
}

/** What is due is paid whenever the block is shown, so nobody is asked to fill it in besides. */
export function withoutRequirement(properties: Property[]): Property[] {
  if (!properties.some(charges)) return properties;
  return properties.map((property) => {
    if (!charges(property)) return property;
    const { logic } = property;
    const actions = logic?.actions?.filter((action) => action !== 'require-answer');
    return { ...property, required: false, ...(logic && actions && { logic: { ...logic, actions } }) };
  });
}

/** What has to be paid. */
export interface AmountDue {
  /** In the smallest unit of the currency, as Stripe counts. */
  minor: number;
  /** ISO 4217, upper case. */
  currency: string;
}

/** Whether a payment block asks for money; those without an amount come from elsewhere, and ask nothing. */
export function charges({ type, amount }: Pick<Property, 'type'> & JsonObject): boolean {
  return canonicalTypeName(type) === 'payment' && !isUnset(amount) && amount !== '';
}

/** The block of a form that asks for money; null without one. */
export function paymentBlockOf(properties: readonly Property[]): PaymentBlock | null {
  const block = properties.find(charges);
  if (!block) return null;
  const { id, amount, currency } = block;
  const of = onlyMention(amount);
  if (typeof currency !== 'string' || !CURRENCIES.has(currency)) return null;
  if (typeof amount === 'number') return { id, amount, currency };
  return of === null ? null : { id, amount: { of }, currency };
}

/**
 * What these answers cost: an amount of another value is rounded half up. Null when that is nothing.
 * @param valueFor the value of the field or calculation that says how much
 */
export function amountDue(
  block: PaymentBlock,
  valueFor: (id: string) => JsonValue | undefined,
): AmountDue | null {
  const minor = minorOf(block, valueFor);
  return minor > 0 ? { minor, currency: block.currency } : null;
}

/** Whether an amount of another value comes out below zero, rounded as what is due. */
export function isBelowZero(block: PaymentBlock, valueFor: (id: string) => JsonValue | undefined): boolean {
  return minorOf(block, valueFor) < 0;
}

/** The amount in the smallest unit of its currency; 0 where nothing says how much. */
function minorOf(
  { amount, currency }: PaymentBlock,
  valueFor: (id: string) => JsonValue | undefined,
): number {
  const value = typeof amount === 'number' ? amount : numberIn(valueFor(amount.of));
  const { decimals = 2, units = 100 } = CURRENCIES.get(currency) ?? {};
  return Math.round(roundHalfUp(value ?? 0, decimals) * units);
}

/** The same in words of a language, also where that is nothing, or not known yet: `€0.00`. */
export function amountSaid(
  block: PaymentBlock,
  valueFor: (id: string) => JsonValue | undefined,
  language: string,
): string {
  const due = amountDue(block, valueFor);
  return amountText(due === null ? 0 : wholeUnits(due), block.currency, language);
}

/** Whole units. */
export function wholeUnits({ minor, currency }: AmountDue): number {
  return minor / (CURRENCIES.get(currency)?.units ?? 100);
}

/** Without the error of binary fractions: 1.005 has two decimals of 1.01. */
export function roundHalfUp(value: number, decimals: number): number {
  if (value >= 1e15) return value;
  const [digits = '0', exponent = '0'] = value.toExponential().split('e');
  const shifted = Math.floor(Number(`${digits}e${Number(exponent) + decimals}`) + 0.5);
  return Number(`${shifted}e-${decimals}`);
}

function numberIn(value: JsonValue | undefined): number | null {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : null;
}

/** The reference of the payment among stored answers, which stays when others are changed. */
export function keptReference(block: PaymentBlock | null, answers: Answers): Answers {
  const reference = block === null ? undefined : ownMember(answers, block.id);
  return block === null || reference === undefined ? {} : { [block.id]: reference };
}
