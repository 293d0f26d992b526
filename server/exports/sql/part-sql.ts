import pg from 'pg';
import type { AnswerPart, FieldColumn } from '../columns/columns.ts';
import { listText, rowsText, textArray } from './list-sql.ts';

const literal = pg.escapeLiteral;
/** Between texts that respondents typed, in which commas are more usual. */
const BETWEEN_OWN = '; ';

/** SQL of the text of a part of an answer; a single choice, from before the question took several, is a list of one. */
export function partText(part: AnswerPart, column: FieldColumn, value: string): string {
  const isA = (...types: string[]) =>
    `jsonb_typeof(${value}) in (${types.map((type) => `'${type}'`).join(', ')})`;
  switch (part.is) {
    case 'option':
      return `case when ${isA('array', 'string')} then (${value} ? ${literal(part.name)})::int::text end`;
    case 'place':
      return `case when ${isA('array')} then (select min(n)::text
        from jsonb_array_elements_text(${value}) with ordinality as items (item, n) where item = ${literal(part.name)}) end`;
    case 'row':
      return `case when ${isA('object')} then ${value}->>${literal(part.name)} end`;
    case 'rest':
      return restText(column, value);
  }
}

/** What no other column of the question has, as text. */
function restText({ csvKind, type, choices, rows }: FieldColumn, value: string): string {
  const known = `${literal(JSON.stringify(choices))}::jsonb`;
  const whole = `case jsonb_typeof(${value}) when 'array' then ${listText(value)} else ${value} #>> '{}' end`;
  if (csvKind === 'matrix')
    return `case jsonb_typeof(${value}) when 'object' then ${rowsText(`(${value} - ${textArray(rows)})`, [])}
      else ${whole} end`;
  if (type === 'ranking')
    return `case when jsonb_typeof(${value}) = 'array' and ${value} <@ ${known} then null else ${whole} end`;
  return `case when ${value} <@ ${known} then null when jsonb_typeof(${value}) = 'array' then
    (select string_agg(item #>> '{}', ${literal(BETWEEN_OWN)} order by n)
      from jsonb_array_elements(${value}) with ordinality as items (item, n) where not item <@ ${known}) else ${value} #>> '{}' end`;
}
