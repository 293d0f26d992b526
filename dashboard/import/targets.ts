import { optionNames } from '../../fields/choices.ts';
import { isOn, stringList } from '../../fields/options.ts';
import type { Property } from '../../fields/property.ts';
import { canonicalTypeName, holdsFiles } from '../../fields/type-names.ts';
import type { Form } from '../api/queries.ts';
import { inputsOf } from '../responses/columns.ts';
import type { SourceTable } from './read-table.ts';

/** What a column of a file can be: an answer, a part of one, or something about the response. */
export interface Target {
  key: string;
  label: string;
  /** null: about the response itself. */
  property: Property | null;
  /** The row of a matrix or the option of a list that the column is about; null for the whole answer. */
  part: string | null;
  /** Several columns make one answer. */
  takesSeveral: boolean;
}

/** What is left out. */
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
/** What Google Forms calls the time in the languages of the pages. */
const TIMESTAMP = [
  'طابع زمني',
  'zeitstempel',
  'marca temporal',
  'horodateur',
  'informazioni cronologiche',
  'タイムスタンプ',
  '타임스탬프',
  'tijdstempel',
  'sygnatura czasowa',
  'carimbo de data/hora',
  'отметка времени',
  'zaman damgası',
  'позначка часу',
  '时间戳记',
  '時間戳記',
];
/** What other products and exports of Formstead call these columns; the first that a file has is taken. */
const KNOWN_NAMES: [key: string, ...names: string[]][] = [
  [
    CREATED_AT,
    'created_at',
    'submitted at',
    'submit date (utc)',
    'submit date',
    'submitdate',
    'date submitted',
    'submitted',
    'created at',
    'timestamp',
    'submission date',
    'date',
    ...TIMESTAMP,
    // Of Microsoft Forms, and a moment there.
    'completion time',
  ],
  [
    SOURCE_ID,
    'submission_id',
    'submission id',
    'response id',
    'response_id',
    'responseid',
    'respondent id',
    'respondentid',
    '#',
    'id',
  ],
  [COMPLETION_TIME, 'completion_time', 'completion time', 'total time'],
  [STATUS, 'status', 'finished', 'response type'],
];
const IS_BLANK = /^\s*$/;
const IS_NUMBER = /^\s*(?:\d+(?:[.,]\d+)?)?\s*$/;
/** What the column is called that has what people wrote themselves. */
const OWN = 'Other';
/** A question with more rows or options is matched as a whole only, or the list of targets has no end. */
const MAX_PARTS = 50;

/** Everything a column can be; files stay behind. */
export function targetsOf(form: Pick<Form, 'properties'>): Target[] {
  const about = [...ABOUT].map(([key, label]) => target(key, label, null));
  return [...about, ...inputsOf(form.properties).flatMap(fieldTargets)];
}

function fieldTargets(property: Property): Target[] {
  const typeName = canonicalTypeName(property.type);
  if (holdsFiles(typeName)) return [];
  const key = `field ${property.id}`;
  const parts = partsOf(property, typeName);
  const isList = typeName === 'multi_select' || typeName === 'matrix';
  return [
    { ...target(key, property.name, property), takesSeveral: isList },
    ...parts.map((part) => ({ ...target(`${key} ${part}`, `${property.name}: ${part}`, property), part })),
  ];
}

function partsOf(property: Property, typeName: string): string[] {
  const parts =
    typeName === 'matrix'
      ? stringList(property.rows)
      : typeName === 'multi_select'
        ? [...optionNames(property, typeName), ...(isOn(property.allow_creation) ? [OWN] : [])]
        : [];
  return parts.length <= MAX_PARTS ? [...new Set(parts)] : [];
}

function target(key: string, label: string, property: Property | null): Target {
  return { key, label, property, part: null, takesSeveral: false };
}

/** Whether it is what an export of Formstead calls its columns: its numbers and times need no guess. */
export function isOwnExport(columns: readonly string[]): boolean {
  return ['created_at', 'submission_id'].every((name) => columns.includes(name));
}

/** Of each column what it probably is: the key of a target. */
export function matchColumns(
  { columns, rows }: Pick<SourceTable, 'columns' | 'rows'>,
  targets: readonly Target[],
): string[] {
  const names = columns.map(folded);
  const matched = columns.map(() => NOTHING);
  // One name may stand for a moment or for how long something took.
  const fits = (key: string, index: number) => {
    if (key !== CREATED_AT && key !== COMPLETION_TIME) return true;
    const isEvery = (pattern: RegExp) => rows.every(({ cells }) => pattern.test(cells[index] ?? ''));
    return isEvery(IS_BLANK) || isEvery(IS_NUMBER) === (key === COMPLETION_TIME);
  };
  const place = (name: string, key: string) => {
    const at = names.findIndex(
      (other, index) => other === name && matched[index] === NOTHING && fits(key, index),
    );
    if (at >= 0) matched[at] = key;
    return at >= 0;
  };
  const counts = new Map<string, number>();
  for (const { key, label, property, part } of targets) {
    if (!property) continue;
    if (part === null) {
      // Of several questions of one name the second is called `Name (2)` in exports.
      const count = (counts.get(label) ?? 0) + 1;
      counts.set(label, count);
      const isPlaced = count > 1 && place(folded(`${label} (${count})`), key);
      if (!isPlaced && !place(folded(label), key)) place(folded(property.id), key);
    } else {
      const name = folded(property.name);
      for (const way of [`${name} [${folded(part)}]`, `${name} (${folded(part)})`])
        if (place(way, key)) break;
    }
  }
  for (const [key, ...known] of KNOWN_NAMES) known.some((name) => place(name, key));
  return matched;
}

/** With this column as something else; what only one column can be is taken from another. */
export function withMatch(
  matched: readonly string[],
  index: number,
  key: string,
  targets: readonly Target[],
): string[] {
  const isTaken = key !== NOTHING && !targets.find((target) => target.key === key)?.takesSeveral;
  return matched.map((former, at) => (at === index ? key : isTaken && former === key ? NOTHING : former));
}

function folded(text: string): string {
  return text.normalize('NFC').trim().replace(/\s+/g, ' ').toLowerCase();
}
