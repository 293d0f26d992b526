import { languageFor } from '../../fields/languages/languages.ts';
import type { Answers, Property } from '../../fields/property.ts';
import { fillIn } from '../../fields/texts/template.ts';
import type { Context } from '../context.ts';
import { formAddress } from '../forms/address/form-address.ts';
import { type AnswerLine, answerText } from '../mail/answer-lines.ts';
import { compileAmountPaid } from '../payments/amount-paid.ts';
import type { ReceivedPayment } from '../payments/checkout.ts';
import type { PublishedForm } from '../submissions/published-form/published-form.ts';
import { compileShown } from '../submissions/shown-properties.ts';
import { linesOf } from './signed-copy.ts';

/** A complete submission, as its sender has sent it. */
interface Received {
  publicId: string;
  answers: Answers;
  receivedAt: Date;
  /** When its answers became what they are. */
  unchangedSince: Date;
  /** What was paid for it; null for nothing. */
  payment: ReceivedPayment | null;
}

/** What a receipt says, in the language of the form's page. */
export interface Receipt {
  title: string;
  /** Public address of the form. */
  address: string;
  /** When it was received, and since when its answers are what they are; with the id of the submission, or how that begins. */
  facts: string[];
  /** Everything that was answered and shown, whole. */
  lines: AnswerLine[];
}

/** No line of an answer begins where a line of the receipt does, so that an answer cannot pretend to be one. */
const INDENT = '    ';
/** Of an id, to tell submissions of a form apart. */
const FIRST_DIGITS = 8;

/** Compiled when a form's first receipt is asked for. */
const shownOf = new WeakMap<PublishedForm, ReturnType<typeof compileShown>>();

/** Writes down what a form has received. */
export function receiptOf(context: Context, form: PublishedForm, sent: Received): Receipt {
  const { page: texts, code } = languageFor(form.presentation.language);
  const { publicId, answers, receivedAt, unchangedSince } = sent;
  const said = compileAmountPaid({ properties: form.properties, language: code })(sent);
  const lines = shownFor(form, answers).map((property) => ({
    name: inOneLine(property.name),
    text: answerText(property, said, code, null),
  }));
  const facts = [fillIn(texts.receivedOn, { date: toTheSecond(receivedAt, code) }, code)];
  if (unchangedSince > receivedAt)
    facts.push(fillIn(texts.unchangedSince, { date: toTheSecond(unchangedSince, code) }, code));
  facts.push(fillIn(texts.receiptNumber, { number: numberOf(form, publicId) }, code));
  return {
    title: inOneLine(form.title),
    address: formAddress(context, form),
    facts,
    lines: lines.filter(({ text }) => text !== ''),
  };
}

/** The blocks that the page showed. */
function shownFor(form: PublishedForm, answers: Answers): readonly Property[] {
  const compiled = shownOf.get(form) ?? compileShown(form.properties, form.compiled.variables);
  shownOf.set(form, compiled);
  return compiled(answers);
}

/** By whatever ends a line of the signed text. */
function inOneLine(text: string): string {
  return linesOf(text).join(' ').replace(/\s+/g, ' ').trim();
}

/** Where senders may edit what they sent, whoever knows the whole id may, and a receipt is there to be shown to others. */
function numberOf({ isEditable }: Pick<PublishedForm, 'isEditable'>, publicId: string): string {
  return isEditable ? `${publicId.slice(0, FIRST_DIGITS)}…` : publicId;
}

/** The text that is signed. */
export function receiptText(
  { title, address, facts, lines }: Receipt,
  language: string,
  checkedAt: string,
): string {
  const { page: texts, code } = languageFor(language);
  const answers = lines.flatMap(({ name, text }) => [
    '',
    name,
    ...linesOf(text).map((line) => INDENT + line),
  ]);
  return [
    texts.receipt,
    '',
    title,
    address,
    ...facts,
    ...answers,
    '',
    fillIn(texts.keepUnchanged, { address: checkedAt }, code),
  ].join('\n');
}

/** Deadlines are a matter of seconds. */
function toTheSecond(moment: Date, code: string): string {
  const format = new Intl.DateTimeFormat(code, { dateStyle: 'long', timeStyle: 'medium', timeZone: 'UTC' });
  return `${format.format(moment)} UTC`;
}
