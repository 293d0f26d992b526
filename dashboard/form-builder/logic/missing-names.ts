import { isOn, stringList } from '../../../fields/block-options/options.ts';
import { isJsonObject, type JsonValue, type Property } from '../../../fields/property.ts';
import { canonicalTypeName, OPTION_TYPES } from '../../../fields/type-names.ts';
import { optionName, optionsOf } from '../lists/choice-list.ts';
import { mentionedField } from './logic-words.ts';

/** What a value asks for although the field does not have it. */
export interface Missing {
  kind: 'option' | 'row' | 'column';
  name: string;
}

/** The options, rows and columns in a value, of a condition or to begin with, that the field does not have. */
export function missingIn(field: Property, value: JsonValue | undefined): Missing[] {
  const type = canonicalTypeName(field.type);
  if (type === 'matrix') return missingLines(field, value);
  if (!OPTION_TYPES.includes(type) || isOn(field.allow_creation)) return [];
  const names = optionsOf(field).map(optionName);
  if (names.length === 0) return [];
  return (Array.isArray(value) ? value : [value])
    .filter((name) => typeof name === 'string' && name !== '' && mentionedField(name) === null)
    .filter((name) => !names.includes(name as string))
    .map((name) => ({ kind: 'option', name: name as string }));
}

/** At most one for each row of the value. */
function missingLines(field: Property, value: JsonValue | undefined): Missing[] {
  const [rows, columns] = [stringList(field.rows), stringList(field.columns)];
  if (!isJsonObject(value) || rows.length === 0 || columns.length === 0) return [];
  return Object.entries(value).flatMap(([row, column]): Missing[] => {
    if (!rows.includes(row)) return [{ kind: 'row', name: row }];
    if (typeof column !== 'string' || columns.includes(column)) return [];
    return [{ kind: 'column', name: column }];
  });
}
