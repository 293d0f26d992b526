import { charges } from '../../../fields/payment.ts';
import type { Property } from '../../../fields/property.ts';
import { onlyMention } from '../../../fields/texts/mentions.ts';
import { canonicalTypeName, NUMBER_TYPES } from '../../../fields/type-names.ts';

/** The parts of a form that decide what is paid. */
interface ChargingForm {
  properties: readonly Property[];
  /** Ids of its calculations. */
  variables: readonly { id: string }[];
  /** Id of the field whose address has to be confirmed; null for none. */
  confirmsEmail: string | null;
}

/**
 * Problems of what a form asks to be paid that show only in the whole form, by the key of what is wrong.
 * @returns pairs of key and message
 */
export function paymentProblems({ properties, variables, confirmsEmail }: ChargingForm): [string, string][] {
  const blocks = properties.filter(charges);
  const [first, ...others] = blocks;
  if (!first) return [];
  const keyOf = (block: Property) => `properties.${properties.indexOf(block)}`;
  const problems = others.map((block): [string, string] => [
    `${keyOf(block)}.amount`,
    'A form may have only one payment block with an amount.',
  ]);
  if (confirmsEmail !== null)
    problems.push([
      `${keyOf(first)}.amount`,
      'A form that has senders confirm their e-mail address cannot ask to be paid, too.',
    ]);
  const mentioned = onlyMention(first.amount);
  if (mentioned !== null && !isAmount(mentioned, properties, variables))
    problems.push([
      `${keyOf(first)}.amount`,
      'The amount must mention a number, rating, slider or scale of the form, or a calculation.',
    ]);
  return problems;
}

function isAmount(
  id: string,
  properties: readonly Property[],
  variables: ChargingForm['variables'],
): boolean {
  if (variables.some((variable) => variable.id === id)) return true;
  const field = properties.find((property) => property.id === id);
  return field !== undefined && NUMBER_TYPES.includes(canonicalTypeName(field.type));
}
