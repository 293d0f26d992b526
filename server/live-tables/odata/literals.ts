import { parseDate } from '../../../fields/as-text/dates.ts';
import { readMoment } from '../../http/schemas/moments.ts';
import { MAX_VALUE } from '../../submissions/lists/filter.ts';
import type { EntityProperty } from './entity-types.ts';
import { badRequest } from './problems.ts';

/** A value to compare with: a whole number of a key, a moment, or the text that filters of lists take (`true`, `12.5`, a day). */
export type Literal = number | Date | string | null;

/** As long as PostgreSQL compares it exactly and quickly. */
const NUMBER = /^-?\d{1,30}(?:\.\d{1,30})?(?:e[+-]?\d{1,3})?$/i;
const WHOLE = /^-?\d{1,16}$/;

/**
 * Reads a value as OData writes it (OData ABNF 4.0, primitiveLiteral), for comparison with a property.
 * @throws HttpError 400 when the property has no such values
 */
export function readLiteral(token: string, { name, type, comparedAs }: EntityProperty): Literal {
  if (token === 'null') return null;
  switch (type) {
    case 'Edm.DateTimeOffset':
      return momentIn(token) ?? refuse(name, 'a time such as 2026-01-31T12:00:00Z');
    case 'Edm.Date':
      return parseDate(token)?.hasTime === false ? token : refuse(name, 'a day such as 2026-01-31');
    case 'Edm.Boolean':
      return token === 'true' || token === 'false' ? token : refuse(name, 'true or false');
    case 'Edm.String':
      return textIn(token) ?? refuse(name, `a text in single quotes of at most ${MAX_VALUE} characters`);
    default:
      return comparedAs?.by === 'answer' ? numberIn(token, name) : wholeNumberIn(token, name);
  }
}

/** Also a day alone, whose beginning it is. */
function momentIn(token: string): Date | null {
  return token.startsWith("'") ? null : readMoment(token);
}

function textIn(token: string): string | null {
  if (!token.startsWith("'")) return null;
  const text = token.slice(1, -1).replaceAll("''", "'");
  const canBeStored = !text.includes('\0') && text.isWellFormed();
  return canBeStored && text.length <= MAX_VALUE ? text : null;
}

function numberIn(token: string, name: string): string {
  return NUMBER.test(token) ? token : refuse(name, 'a number');
}

function wholeNumberIn(token: string, name: string): number {
  const number = Number(token);
  return WHOLE.test(token) && Number.isSafeInteger(number) ? number : refuse(name, 'a whole number');
}

function refuse(name: string, what: string): never {
  throw badRequest(`${name} is compared with ${what}.`);
}
