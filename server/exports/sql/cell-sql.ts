import pg from 'pg';
import { CURRENCIES } from '../../../fields/as-text/currencies.ts';
import type { FileLinks } from '../../files/file-links.ts';
import type { EntryQuestion, ExportColumn, FieldColumn, SystemColumn } from '../columns/columns.ts';
import { answersOf, isStructured, isTakenOut, takenOut } from './copy-sql.ts';
import { listText, rowsText } from './list-sql.ts';
import { partText } from './part-sql.ts';

/** Folder of the files in an archive; it has a folder for each submission with files, named by its numeric id. */
export const ARCHIVE_FOLDER = 'files';
const literal = pg.escapeLiteral;
/** What is written for an ending that the form has no more. */
const REMOVED_ENDING = '(removed ending)';
/** Find the same as `fileIdOf` and `extensionOf`. */
const FILE_ID = '(?:^|_)([0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})(?:\\.[a-zA-Z0-9]{1,10})?$';
const EXTENSION = '\\.[a-z0-9]{1,10}$';
/** Lists up to this length are read item by item, which takes an eighth of the time of a query over the items. */
const SHORT_LIST = 4;

/** SQL of a cell's text; the same text as the field's `toText` gives. */
export function cellText(column: ExportColumn, index: number, fileLinks: FileLinks | null): string {
  switch (column.source) {
    case 'system':
      return systemText(column);
    case 'attribution':
      return `submission.attribution->>${literal(column.key)}`;
    case 'entry':
      return 'entries.number::text';
    case 'field':
      return fieldText(column, index, fileLinks);
  }
}

/** SQL of the cell of a system column, a text. */
export function systemText(column: Extract<ExportColumn, { source: 'system' }>): string {
  if (column.name !== 'ending') return SYSTEM_CELLS[column.name];
  const names = column.endings.map(({ id, name }) => ` when ${literal(id)} then ${literal(name)}`);
  const removed = `when submission.ending is not null then ${literal(REMOVED_ENDING)}`;
  const known = names.length > 0 ? `case submission.ending${names.join('')} end` : 'null';
  return `coalesce(${known}, case ${removed} end)`;
}

const SYSTEM_CELLS: Record<Exclude<SystemColumn, 'ending'>, string> = {
  id: 'submission.id::text',
  submission_id: 'submission.public_id::text',
  created_at: isoTime('submission.created_at'),
  updated_at: isoTime('submission.updated_at'),
  status: 'submission.status',
  // by way of numeric, as doubles beyond 10^15 are written with an exponent
  completion_time: 'submission.completion_time::text::numeric::text',
  review_state: `coalesce((select state from submission_reviews review
    where review.form_id = submission.form_id and review.submission_id = submission.id), 'received')`,
  recipient_name: ofRecipient('name'),
  recipient_email: ofRecipient('email'),
  confirmed_email: ofConfirmation('address'),
  confirmed_at: ofConfirmation(isoTime('confirmed_at')),
  payment_amount: ofPayment(wholeUnits()),
  payment_currency: ofPayment('currency'),
  payment_mode: ofPayment('mode'),
  paid_at: ofPayment(isoTime('paid_at')),
};

/** About the recipient by whose personal link it came, even if they were allowed to answer again since; null on anonymous forms. */
function ofRecipient(column: 'name' | 'email'): string {
  const whose = `select recipient.${column} from recipients recipient where recipient.form_id = submission.form_id`;
  return `(${whose} and recipient.submission_public_id = submission.public_id
    union all ${whose} and recipient.earlier_submissions @> array[submission.public_id]
      and recipient.earlier_submissions <> '{}' limit 1)`;
}

/** @param what SQL of a text */
function ofConfirmation(what: string): string {
  return `(select ${what} from confirmed_addresses confirmed
    where confirmed.form_id = submission.form_id and confirmed.public_id = submission.public_id)`;
}

/** @param what SQL of a text */
function ofPayment(what: string): string {
  return `(select ${what} from payments payment
    where payment.form_id = submission.form_id and payment.public_id = submission.public_id)`;
}

/** The same number as `wholeUnits` gives, as a text. */
function wholeUnits(): string {
  const byUnits = Map.groupBy(CURRENCIES, ([, { units }]) => units);
  const cases = [...byUnits].map(([units, currencies]) => {
    const codes = currencies.map(([code]) => literal(code));
    return ` when currency in (${codes.join()}) then ${units}`;
  });
  return `trim_scale(amount_minor::numeric / case${cases.join('')} end)::text`;
}

function isoTime(column: string): string {
  return `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}

/** An answer in another shape, from before the type was changed, is written as text, never refused. */
function fieldText(column: FieldColumn, index: number, fileLinks: FileLinks | null): string {
  const { csvKind } = column;
  if (!isStructured(column)) return storedText(column);
  const value = answerValue(column, index);
  if (column.part) return partText(column.part, column, value);
  const isA = (type: string) => `jsonb_typeof(${value}) = '${type}'`;
  const text = `${value} #>> '{}'`;
  if (csvKind === 'files') return filesText(value, fileLinks);
  let lines = '';
  if (csvKind === 'matrix') lines = `when ${isA('object')} then ${rowsText(value, column.rows)} `;
  if (csvKind === 'entries')
    lines = `when ${isA('array')} and not ${value} @? '$[*] ? (@.type() != "object")' then ${entriesText(value, column.questions)} `;
  return `case ${lines}when ${isA('array')} then ${shortListText(value)} else ${text} end`;
}

function storedText(column: FieldColumn): string {
  return `${answersOf(column)}->>${literal(column.id)}`;
}

/** The answer itself, as jsonb. */
export function answerValue(column: FieldColumn, index: number): string {
  const { id } = column;
  return isTakenOut(column) ? `submission.${takenOut(index)}` : `(${answersOf(column)}->${literal(id)})`;
}

/** Produces the same text as `listText`, but faster for short lists, as most are. */
function shortListText(value: string): string {
  const items = Array.from({ length: SHORT_LIST }, (_, index) => `coalesce(${value}->>${index}, '')`);
  const byLength = items.map(
    (_, index) => `when ${index + 1} then ${items.slice(0, index + 1).join(" || ', ' || ")}`,
  );
  return `case jsonb_array_length(${value}) ${byLength.join(' ')} else ${listText(value)} end`;
}

function filesText(value: string, fileLinks: FileLinks | null): string {
  return filesOf(value, fileLinks, (place) => `string_agg(${place}, ', ' order by n)`);
}

/** The place of each file of an answer, joined by an aggregate; a text that names no file stays as it is. */
export function filesOf(
  value: string,
  fileLinks: FileLinks | null,
  aggregate: (place: string) => string,
): string {
  const place = fileLinks ? linkText(fileLinks) : `'${ARCHIVE_FOLDER}/' || submission.id || '/' || item`;
  const items = `jsonb_array_elements_text(case jsonb_typeof(${value}) when 'array' then ${value} else jsonb_build_array(${value}) end)`;
  return `(select ${aggregate(`case when file_id is null then coalesce(item, '') else ${place} end`)}
    from ${items} with ordinality as items (item, n), lateral (select lower(substring(item from ${literal(FILE_ID)})) as file_id) as named
    having jsonb_typeof(${value}) <> 'null')`;
}

/** SQL of the signed address of a file, the same as `FileLinks.urlOf` writes. */
function linkText({ parts: { start, end, innerKey, outerKey } }: FileLinks): string {
  const [inner, outer] = [innerKey, outerKey].map((key) => `'\\x${key.toString('hex')}'::bytea`);
  const signature = `encode(sha256(${outer} || sha256(${inner} || convert_to(file_id, 'UTF8'))), 'hex')`;
  return `${literal(start)} || file_id || coalesce(substring(item from ${literal(EXTENSION)}), '') || ${literal(end)} || ${signature}`;
}

/** `Question: answer; Question: answer | Question: …`, in the order of the form; questions that it no longer has are left out. */
function entriesText(value: string, questions: readonly EntryQuestion[]): string {
  const answers = questions.map(({ id, name }) => {
    const answer = `(entry->${literal(id)})`;
    const text = `case jsonb_typeof(${answer}) when 'array' then ${listText(answer)} else ${answer} #>> '{}' end`;
    return `${literal(`${name}: `)} || nullif(${text}, '')`;
  });
  return `(select string_agg(nullif(concat_ws('; ', ${['null', ...answers].join(', ')}), ''), ' | ' order by n)
    from jsonb_array_elements(${value}) with ordinality as entries (entry, n))`;
}
