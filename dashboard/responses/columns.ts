import { ATTRIBUTION_KEYS, ATTRIBUTION_PREFIX } from '../../fields/attribution-keys.ts';
import type { Property } from '../../fields/property.ts';
import { canonicalTypeName, isLayoutBlock } from '../../fields/type-names.ts';
import type { Form } from '../api/queries.ts';

/** Something a response can show: an answer, or what is known about it. */
export interface Column {
  /** Its name in exports: the id of the field, of the system column, or `meta.attribution.<key>`. */
  name: string;
  /** Names the column among all, whatever ids fields have. */
  key: string;
  label: string;
  kind: 'field' | 'system' | 'attribution';
  /** Of a field. */
  property: Property | null;
  /** The form asks it no more. */
  isRemoved: boolean;
  /** Shown until somebody chooses otherwise. */
  isUsual: boolean;
  /** Pixels, until somebody chooses otherwise. */
  width: number;
}

/** Stands in front where a team reviews responses. */
const REVIEW = 'review_state';
const SYSTEM: [string, string, number, boolean][] = [
  ['created_at', 'Submitted', 208, true],
  ['status', 'Status', 112, false],
  [REVIEW, 'Review', 144, false],
  ['completion_time', 'Time taken', 112, false],
  ['updated_at', 'Changed', 208, false],
  ['id', 'Number', 96, false],
  ['submission_id', 'ID', 310, false],
];

/** Fields of a long form that are shown at first. */
const USUAL_FIELDS = 12;
const FIELD_WIDTH = 208;
const NARROW_WIDTH = 136;
const NARROW = ['number', 'rating', 'scale', 'slider', 'checkbox', 'date'];

/**
 * Everything that can be shown of the responses of a form, in its usual order.
 * @param isReviewed whether anything was decided or noted about any of them
 * @param mayChange whether the reader may change answers: of an editable form only they are told the ids
 */
export function columnsOf(
  form: Pick<Form, 'properties' | 'removed_properties' | 'editable_submissions'>,
  { isReviewed, mayChange }: { isReviewed: boolean; mayChange: boolean },
): Column[] {
  const current = inputsOf(form.properties);
  const ids = new Set(current.map(({ id }) => id));
  const removed = inputsOf(form.removed_properties).filter(({ id }) => !ids.has(id));
  const hasIds = mayChange || form.editable_submissions !== true;
  const system = SYSTEM.filter(([name]) => hasIds || name !== 'submission_id').map(systemColumn);
  const isFirst = ({ name }: Column) => name === 'created_at' || (isReviewed && name === REVIEW);
  return [
    ...system.filter(isFirst).map((column) => ({ ...column, isUsual: true })),
    ...current.map((property, index) => fieldColumn(property, false, index < USUAL_FIELDS)),
    ...system.filter((column) => !isFirst(column)),
    ...ATTRIBUTION_KEYS.map(attributionColumn),
    ...removed.map((property) => fieldColumn(property, true, false)),
  ];
}

/** Whose personal link a response came by, for exports of forms that have recipients. */
export const RECIPIENT_COLUMNS: Column[] = [
  systemColumn(['recipient_name', 'Recipient', FIELD_WIDTH, false]),
  systemColumn(['recipient_email', 'Address of the recipient', FIELD_WIDTH, false]),
];

/** Columns in an order that was chosen. What came later stands behind what it usually stands behind. */
export function inOrder(all: readonly Column[], order: readonly string[]): Column[] {
  const byKey = new Map(all.map((column) => [column.key, column]));
  const result = order.flatMap((key) => byKey.get(key) ?? []);
  const isPlaced = new Set(order);
  all.forEach((column, index) => {
    if (isPlaced.has(column.key)) return;
    const before = all[index - 1];
    result.splice(before ? result.indexOf(before) + 1 : 0, 0, column);
  });
  return result;
}

/** The same keys with one of them moved past so many others that are shown. */
export function withMoved(
  order: readonly string[],
  shown: readonly string[],
  key: string,
  steps: number,
): string[] {
  const neighbour = shown[shown.indexOf(key) + steps];
  if (neighbour === undefined) return [...order];
  const rest = order.filter((other) => other !== key);
  return rest.toSpliced(rest.indexOf(neighbour) + (steps > 0 ? 1 : 0), 0, key);
}

/** The blocks that ask something. */
export function inputsOf(properties: Form['properties']): Property[] {
  return (properties as unknown as Property[]).filter(({ type }) => !isLayoutBlock(type));
}

function fieldColumn(property: Property, isRemoved: boolean, isUsual: boolean): Column {
  const width = NARROW.includes(canonicalTypeName(property.type)) ? NARROW_WIDTH : FIELD_WIDTH;
  const { id, name } = property;
  return { name: id, key: `field:${id}`, label: name, kind: 'field', property, isRemoved, isUsual, width };
}

function systemColumn([name, label, width, isUsual]: [string, string, number, boolean]): Column {
  return { name, key: name, label, kind: 'system', property: null, isRemoved: false, isUsual, width };
}

function attributionColumn(key: string): Column {
  const name = ATTRIBUTION_PREFIX + key;
  return {
    name,
    key: name,
    label: key,
    kind: 'attribution',
    property: null,
    isRemoved: false,
    isUsual: false,
    width: NARROW_WIDTH,
  };
}
