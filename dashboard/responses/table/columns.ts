import { ATTRIBUTION_KEYS, ATTRIBUTION_PREFIX } from '../../../fields/attribution-keys.ts';
import { charges } from '../../../fields/payment.ts';
import type { Property } from '../../../fields/property.ts';
import { canonicalTypeName, isLayoutBlock } from '../../../fields/type-names.ts';
import type { Form } from '../../api/queries.ts';

/** A column for an answer, or for a fact about the response. */
export interface Column {
  /** Its name in exports: the id of the field or of the system column, or `meta.attribution.<key>`. */
  name: string;
  /** Unique among all columns, whatever ids fields have. */
  key: string;
  label: string;
  kind: 'field' | 'system' | 'attribution';
  /** The field, if it is one. */
  property: Property | null;
  /** The form no longer asks it. */
  isRemoved: boolean;
  /** Visible by default. */
  isUsual: boolean;
  /** Default width in pixels. */
  width: number;
  /** It has little room: a moment is told by its time today, and by its day before. */
  isBrief?: boolean;
}

/** Comes first if a team reviews responses, except where it would leave no room for what tells them apart. */
const REVIEW = 'review_state';
/** Comes right after the answers that lead to it, and only where a form has or had endings. */
const ENDING = 'ending';
const SYSTEM: [string, string, number, boolean][] = [
  [ENDING, 'Ending', 176, true],
  ['created_at', 'Submitted', 208, true],
  ['status', 'Status', 112, false],
  [REVIEW, 'Review', 144, false],
  ['completion_time', 'Time taken', 112, false],
  ['updated_at', 'Changed', 208, false],
  ['id', 'Number', 96, false],
  ['submission_id', 'ID', 310, false],
];

/** Most fields of a long form that are visible by default. */
const USUAL_FIELDS = 12;
const FIELD_WIDTH = 208;
const NARROW_WIDTH = 136;
/** Of a moment told briefly. */
const BRIEF_WIDTH = 120;
const NARROW = ['number', 'rating', 'scale', 'slider', 'checkbox', 'date'];

interface Known {
  /** Whether any response was decided or commented on. */
  isReviewed?: boolean;
  /** Whether the form has or had endings. */
  hasEndings?: boolean;
  /** Whether the reader may edit answers; for editable forms only they get the ids. */
  mayChange?: boolean;
  /** Whether only two or three columns fit on the screen. */
  isNarrow?: boolean;
}

/** All columns of a form's responses, in their default order. */
export function columnsOf(
  form: Pick<Form, 'properties' | 'removed_properties' | 'editable_submissions'>,
  { isReviewed = false, hasEndings = false, mayChange = false, isNarrow = false }: Known = {},
): Column[] {
  const current = inputsOf(form.properties);
  const ids = new Set(current.map(({ id }) => id));
  const removed = inputsOf(form.removed_properties).filter(({ id }) => !ids.has(id));
  const hasIds = mayChange || form.editable_submissions !== true;
  const isThere = (name: string) => (name === ENDING ? hasEndings : hasIds || name !== 'submission_id');
  const system = SYSTEM.filter(([name]) => isThere(name)).map(systemColumn);
  const sent = system.filter(({ name }) => name === 'created_at');
  const review = system
    .filter(({ name }) => name === REVIEW)
    .map((column) => ({ ...column, isUsual: isReviewed }));
  const isFirst = isReviewed && !isNarrow;
  return [
    ...(isNarrow ? sent.map((column) => ({ ...column, width: BRIEF_WIDTH, isBrief: true })) : sent),
    ...(isFirst ? review : []),
    ...current.map((property, index) => fieldColumn(property, false, index < USUAL_FIELDS)),
    ...system
      .filter(({ name }) => name !== 'created_at')
      .flatMap((column) => (column.name !== REVIEW ? column : isFirst ? [] : review)),
    ...([...current, ...removed].some(charges) ? PAYMENT_COLUMNS : []),
    ...ATTRIBUTION_KEYS.map(attributionColumn),
    ...removed.map((property) => fieldColumn(property, true, false)),
  ];
}

/** The recipient whose personal link a response came by, for exports of forms that have recipients. */
export const RECIPIENT_COLUMNS: Column[] = [
  systemColumn(['recipient_name', 'Recipient', FIELD_WIDTH, false]),
  systemColumn(['recipient_email', 'Address of the recipient', FIELD_WIDTH, false]),
];

/** Which address a sender has confirmed, for exports of forms that ask for it. */
export const CONFIRMED_COLUMNS: Column[] = [
  systemColumn(['confirmed_email', 'Confirmed address', FIELD_WIDTH, false]),
  systemColumn(['confirmed_at', 'Address confirmed', FIELD_WIDTH, false]),
];

/** What was paid for a response, where the form asks for it or did. */
const PAYMENT_COLUMNS: Column[] = [
  systemColumn(['payment_amount', 'Amount paid', FIELD_WIDTH, false]),
  systemColumn(['payment_currency', 'Currency', FIELD_WIDTH, false]),
  systemColumn(['payment_mode', 'Mode of payment', FIELD_WIDTH, false]),
  systemColumn(['paid_at', 'Paid', FIELD_WIDTH, false]),
];

/** Columns in a chosen order. Newer ones come after the column they follow by default. */
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

/** The keys with one of them moved past so many visible ones. */
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
