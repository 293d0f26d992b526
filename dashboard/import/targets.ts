import { isOn, stringList } from '../../fields/block-options/options.ts';
import { optionNames } from '../../fields/choices/choices.ts';
import type { FieldType } from '../../fields/field-type.ts';
import type { Property } from '../../fields/property.ts';
import { canonicalTypeName, holdsFiles } from '../../fields/type-names.ts';
import type { Form } from '../api/queries.ts';
import { inputsOf } from '../responses/table/columns.ts';
import type { SourceTable } from './read-table.ts';

/** What a column can contain: an answer, a part of one, or a fact about the response. */
export interface Target {
  key: string;
  label: string;
  /** null if it is about the response itself. */
  property: Property | null;
  /** The row of a matrix or the option of a list; null for the whole answer. */
  part: string | null;
  /** Several columns together make the answer. */
  takesSeveral: boolean;
}

/** What tells where a file comes from. */
type OfSource = Pick<SourceTable, 'columns' | 'rows' | 'reading'>;

/** The target of columns that are left out. */
export const NOTHING = '';
export const CREATED_AT = 'created_at';
export const SOURCE_ID = 'source_id';
export const COMPLETION_TIME = 'completion_time';
export const STATUS = 'status';

const ABOUT = new Map([
  [CREATED_AT, 'Submitted at'],
  [SOURCE_ID, 'Response id'],
  [COMPLETION_TIME, 'Time taken, in seconds'],
  [STATUS, 'Finished or not'],
]);
/** The sheets of our workbooks, and the time of a response as our other files have it. */
const OWN_SHEETS = ['Submissions', 'Columns'];
const OWN_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
/** Name of the column for texts that respondents typed themselves. */
export const OWN = 'Other';
/** Groups of columns, each of which identifies a file from Kobo or ODK. */
const ODK_NAMES = [
  ['_uuid', '_submission_time'],
  ['_uuid', '__version__'],
  ['submissiondate', 'key'],
];
/** Names for such texts in other products, alone or with other words, in the languages of the pages. */
const CALLED_OWN = new RegExp(
  `^(?:${[
    ...[
      'other',
      'others',
      'أخرى',
      'غير ذلك',
      'sonstiges?',
      'andere[rs]?',
      'otr[oa]s?',
      'autres?',
      'अन्य',
      'altr[oiae]',
    ],
    ...[
      'その他',
      '기타',
      'anders',
      'overige?',
      'inn[eya]',
      'outr[oa]s?',
      'друг(?:ое|ой|ие)',
      'diğer',
      'інш(?:е|ий|і)',
      '其他',
      '其它',
    ],
  ].join('|')})(?!\\p{L})`,
  'iu',
);
/** A question with more rows or options is only matched as a whole, to keep the list of targets short. */
const MAX_PARTS = 50;

/** All targets of a form's columns in a file; files cannot be imported. */
export function targetsOf(form: Pick<Form, 'properties'>, table: OfSource): Target[] {
  const about = [...ABOUT].map(([key, label]) => target(key, label, null));
  const isOwn = isOwnExport(table);
  return [...about, ...inputsOf(form.properties).flatMap((property) => fieldTargets(property, isOwn))];
}

function fieldTargets(property: Property, isOwn: boolean): Target[] {
  const typeName = canonicalTypeName(property.type);
  if (holdsFiles(typeName)) return [];
  const key = `field ${property.id}`;
  const parts = partsOf(property, typeName, isOwn);
  const isList = ['multi_select', 'matrix', 'ranking'].includes(typeName);
  return [
    { ...target(key, property.name, property), takesSeveral: isList },
    ...parts.map((part) => ({ ...target(`${key} ${part}`, `${property.name}: ${part}`, property), part })),
  ];
}

/** Our exports have a part for the rest of every question with parts: what was said before it was changed, which the field refuses. */
function partsOf(property: Property, typeName: FieldType['name'], isOwn: boolean): string[] {
  const named = [...new Set(namedParts(property, typeName))];
  if (named.length > MAX_PARTS) return [];
  const takesOwn = isOn(property.allow_creation) && ['multi_select', 'select'].includes(typeName);
  return takesOwn || (isOwn && named.length > 0) ? [...named, ownPartOf(property)] : named;
}

function namedParts(property: Property, typeName: FieldType['name']): string[] {
  if (typeName === 'matrix') return stringList(property.rows);
  return typeName === 'multi_select' || typeName === 'ranking' ? optionNames(property, typeName) : [];
}

/** The part of a question for texts that respondents typed; it has a number where an option or a row has its name. */
export function ownPartOf(property: Property): string {
  const taken = namedParts(property, canonicalTypeName(property.type));
  let part = OWN;
  for (let count = 2; taken.includes(part); count++) part = `${OWN} (${count})`;
  return part;
}

function target(key: string, label: string, property: Property | null): Target {
  return { key, label, property, part: null, takesSeveral: false };
}

/** Whether it is an export of Formstead, whose numbers and lists are unambiguous. */
export function isOwnExport({ columns, rows, reading }: OfSource): boolean {
  if (reading.of === 'workbook' && OWN_SHEETS.every((name) => reading.sheets.includes(name))) return true;
  const time = columns.indexOf(CREATED_AT);
  if (time < 0) return false;
  return columns.includes('submission_id') || rows.every(({ cells }) => OWN_TIME.test(cells[time] ?? ''));
}

/** Whether the columns have names that KoboToolbox and ODK add to the answers. */
export function isOfOdk(columns: readonly string[]): boolean {
  const names = new Set(columns.map(folded));
  return ODK_NAMES.some((some) => some.every((name) => names.has(name)));
}

/** Whether a column or an option has a name for texts that respondents typed themselves. */
export function isCalledOwn(name: string): boolean {
  return CALLED_OWN.test(folded(name));
}

/** Matches a column to another target; a target for a single column is taken from its former one. */
export function withMatch(
  matched: readonly string[],
  index: number,
  key: string,
  targets: readonly Target[],
): string[] {
  const isTaken = key !== NOTHING && !targets.find((target) => target.key === key)?.takesSeveral;
  return matched.map((former, at) => (at === index ? key : isTaken && former === key ? NOTHING : former));
}

/** In lower case, with single blanks. */
export function folded(text: string): string {
  return text.normalize('NFC').trim().replace(/\s+/g, ' ').toLowerCase();
}
