import { parseDate } from '../as-text/dates.ts';
import { asNumber, isFlag } from '../block-options/options.ts';
import type { FieldEngines } from '../engines.ts';
import type { FieldType } from '../field-type.ts';
import { isJsonObject, type JsonValue } from '../property.ts';
import { compileMentions } from '../texts/mentions.ts';
import { OPERATORS_WITHOUT_VALUE } from './operator-names.ts';

/** The problem with the value of a condition to be saved, or null; an operator that needs no value may have any (`true`, `{}`). */
export function conditionValueProblem(
  type: FieldType,
  operator: string,
  value: JsonValue | undefined,
  engines: FieldEngines,
): string | null {
  if (OPERATORS_WITHOUT_VALUE.includes(operator)) return null;
  if (value === undefined || value === null) return 'missing condition value';
  const hasMention = compileMentions(value, () => () => undefined) !== null;
  if (!hasMention && !isRightType(type, operator, value)) return 'wrong type of condition value';
  const isPattern = operator.endsWith('_regex') && typeof value === 'string' && !hasMention;
  return isPattern && !engines.isValidPattern(value) ? 'invalid regex pattern' : null;
}

function isRightType(type: FieldType, operator: string, value: JsonValue): boolean {
  if (operator.startsWith('content_length_') || operator.includes('_x_days')) return isNumeric(value);
  if (operator.endsWith('_regex')) return typeof value === 'string';
  switch (type.csvKind) {
    case 'number':
    case 'entries':
      return isNumeric(value);
    case 'boolean':
      return isFlag(value);
    case 'matrix':
      return isJsonObject(value);
    case 'list':
    case 'files':
      return typeof value === 'string' || isTextList(value);
    case 'json':
      return true;
    case 'date':
      return typeof value === 'string' && parseDate(value) !== null;
    case 'text':
    case 'location':
      return typeof value === 'string';
  }
}

function isNumeric(value: JsonValue): boolean {
  return asNumber(value) !== undefined;
}

function isTextList(value: JsonValue): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}
