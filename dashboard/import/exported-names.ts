import { ATTRIBUTION_KEYS } from '../../fields/attribution-keys.ts';
import type { Property } from '../../fields/property.ts';
import { headersApart } from '../../fields/texts/numbered-apart.ts';
import { CREATED_AT } from './targets.ts';

/** Columns about responses that stand before the questions where the dashboard exports them. */
const USUALLY_BEFORE = [CREATED_AT, 'review_state'];
/** Columns of exports that may have the name of a question. */
export const ABOUT_RESPONSES: readonly string[] = [
  ...['id', 'submission_id', CREATED_AT, 'updated_at', 'status', 'completion_time', 'ending'],
  ...['review_state', 'recipient_name', 'recipient_email', 'confirmed_email', 'confirmed_at'],
  ...['payment_amount', 'payment_currency', 'payment_mode', 'paid_at'],
  ...ATTRIBUTION_KEYS,
];

interface ExportedNames {
  /** Of questions that exports call otherwise than the form does. */
  ofQuestions: ReadonlyMap<Property, string>;
  /** Of columns about responses that have a number, by their usual name. */
  ofFacts: ReadonlyMap<string, string>;
}

/**
 * What an export with these columns calls the questions of a form and the columns about responses: of several with the same name, the
 * second is `Name (2)`.
 */
export function exportedNames(fields: readonly Property[], columns: readonly string[]): ExportedNames {
  const names = fields.map(({ name }) => name);
  const facts = ABOUT_RESPONSES.filter((fact) => names.includes(fact) && isThereToo(fact, names, columns));
  const before = facts.filter((fact) => standsBefore(fact, names, columns));
  const after = facts.filter((fact) => !before.includes(fact));
  const distinct = headersApart();
  const numbered = (name: string) => [name, distinct(name)] as const;
  const factsBefore = before.map(numbered);
  const questions = fields.map((property) => [property, distinct(property.name)] as const);
  return {
    ofQuestions: new Map(questions.filter(([{ name }, header]) => header !== name)),
    ofFacts: new Map([...factsBefore, ...after.map(numbered)]),
  };
}

/** Whether the columns contain one about responses besides the questions with its name. */
function isThereToo(fact: string, names: readonly string[], columns: readonly string[]): boolean {
  return placesOf([fact, ...names], columns).length > placesOf(names, columns).length;
}

/** Whether a column about responses stands before the questions: then these are numbered, otherwise it is. */
function standsBefore(fact: string, names: readonly string[], columns: readonly string[]): boolean {
  const ifBefore = outOfOrder(placesOf([fact, ...names], columns));
  const ifAfter = outOfOrder(placesOf([...names, fact], columns));
  if (ifBefore !== ifAfter) return ifBefore < ifAfter;
  // Without other questions only the other columns tell whose order it is: the dashboard's or that of a call.
  if (USUALLY_BEFORE.includes(fact)) return true;
  const [at = 0] = placesOf([fact], columns);
  return (
    columns.indexOf(CREATED_AT) > at ||
    columns.slice(0, at).some((name) => ABOUT_RESPONSES.includes(name) && !USUALLY_BEFORE.includes(name))
  );
}

/** Where the columns of these names stand, as far as there are any. */
function placesOf(names: readonly string[], columns: readonly string[]): number[] {
  return names
    .map(headersApart())
    .map((header) => {
      const partsStart = `${header} [`;
      return columns.findIndex((column) => column === header || column.startsWith(partsStart));
    })
    .filter((at) => at >= 0);
}

/** How often a column stands before the one that should precede it. */
function outOfOrder(places: readonly number[]): number {
  return places.filter((at, nth) => at < (places[nth - 1] ?? 0)).length;
}
