import { Check, Minus, Paperclip, Star } from 'lucide-react';
import type { ReactNode } from 'react';
import { ATTRIBUTION_PREFIX } from '../../../fields/attribution-keys.ts';
import { isBlank } from '../../../fields/block-options/options.ts';
import { charges } from '../../../fields/payment.ts';
import { isJsonObject, type JsonValue, ownMember, type Property } from '../../../fields/property.ts';
import { nameWithoutId } from '../../../fields/texts/name-without-id.ts';
import { canonicalTypeName, holdsFiles } from '../../../fields/type-names.ts';
import { ratingMax } from '../../../fields/types/rating.ts';
import { formatBriefly, formatMoment, formatNumber } from '../../lib/format.ts';
import { Badge } from '../../ui/badge.tsx';
import { UserText } from '../../ui/user-text.tsx';
import { shownType } from '../answers/answer-shape.ts';
import { answerText, formatSeconds } from '../answers/answer-text.ts';
import { Amount } from '../answers/paid.tsx';
import { endingName, type ReachedEnding } from '../filters/endings.ts';
import type { Submission } from '../queries.ts';
import { NoteCount, ReviewBadge } from '../reviews/review-badge.tsx';
import { stateOf } from '../reviews/reviews.ts';
import { ChosenCell } from './chosen-cell.tsx';
import type { Column } from './columns.ts';

/** More stars than this are shown as a number. */
const MAX_STARS = 10;

/** One cell of the table, in one line. */
export function ResponseCell({ column, row }: { column: Column; row: Submission }): ReactNode {
  const { property } = column;
  if (property) return <AnswerCell property={property} answer={ownMember(row.data, property.id)} row={row} />;
  if (column.kind === 'attribution') {
    const text = row.meta?.attribution[column.name.slice(ATTRIBUTION_PREFIX.length)];
    return typeof text === 'string' && <UserText text={text} />;
  }
  switch (column.name) {
    case 'status':
      return <StatusBadge status={row.status} />;
    case 'review_state':
      return (
        <span className="flex items-center gap-2">
          <ReviewBadge state={stateOf(row)} />
          <NoteCount count={row.review?.notes ?? 0} />
        </span>
      );
    case 'ending':
      return row.ending && <Ending ending={row.ending} />;
    case 'completion_time':
      return row.completion_time === null ? null : formatSeconds(row.completion_time);
    case 'updated_at':
      return formatMoment(row.updated_at);
    case 'payment_amount':
      return row.payment && <span className="tabular-nums">{formatNumber(row.payment.amount)}</span>;
    case 'payment_currency':
      return row.payment?.currency;
    case 'payment_mode':
      return row.payment && (row.payment.mode === 'test' ? 'Test' : 'Live');
    case 'paid_at':
      return row.payment && formatMoment(row.payment.paid_at);
    case 'id':
      return <span className="tabular-nums">{row.id}</span>;
    case 'submission_id':
      return <span className="block truncate font-mono text-xs">{row.submission_id}</span>;
    default:
      return column.isBrief ? <BriefMoment time={row.created_at} /> : formatMoment(row.created_at);
  }
}

/** Readers of screens, and paper, get the whole. */
function BriefMoment({ time }: { time: string }) {
  return (
    <>
      <span aria-hidden="true" className="print:hidden">
        {formatBriefly(time)}
      </span>
      <span className="sr-only print:not-sr-only">{formatMoment(time)}</span>
    </>
  );
}

/** One that was removed says so in our words. */
export function Ending({ ending }: { ending: ReachedEnding }) {
  if (ending.name === null) return <span className="text-muted">{endingName(ending)}</span>;
  return <UserText text={ending.name} />;
}

export function StatusBadge({ status }: { status: string }) {
  if (status === 'set_aside') return <Badge tone="warn">Set aside</Badge>;
  return status === 'partial' ? <Badge tone="warn">Partial</Badge> : <Badge tone="good">Completed</Badge>;
}

/** Whether there is nothing to show; a computed field may show why it has no value. */
export function isNothing(property: Property, answer: JsonValue | undefined): boolean {
  return isBlank(answer) || (canonicalTypeName(property.type) === 'computed' && isJsonObject(answer));
}

interface AnswerCellProps {
  property: Property;
  answer: JsonValue | undefined;
  row: Submission;
}

function AnswerCell({ property, answer, row }: AnswerCellProps): ReactNode {
  if (answer === undefined || isNothing(property, answer)) return null;
  if (row.payment && charges(property)) return <Amount payment={row.payment} />;
  const type = shownType(property, answer);
  const files = row.files && ownMember(row.files, property.id);
  if (holdsFiles(type) && files) return <FilesCell names={files.map((file) => file.file_name)} />;
  const text = answerText(property, answer);
  switch (type) {
    case 'rating':
      if (typeof answer === 'number' && ratingMax(property) <= MAX_STARS)
        return <Stars value={answer} max={ratingMax(property)} />;
      break;
    case 'checkbox':
      return answer === true ? (
        <Check role="img" aria-label="Yes" className="size-4 text-good" />
      ) : (
        <Minus role="img" aria-label="No" className="size-4 text-muted" />
      );
    case 'multi_select':
      if (Array.isArray(answer)) return <ChosenCell names={answer.map(String)} text={text} />;
      break;
    case 'repeat':
      if (Array.isArray(answer)) return <EntriesCell count={answer.length} text={text} />;
      break;
  }
  if (typeof answer === 'number') return <span className="block truncate tabular-nums">{text}</span>;
  return <UserText text={text} />;
}

function FilesCell({ names }: { names: readonly string[] }) {
  const [first] = names;
  return (
    <span className="flex min-w-0 items-center gap-1.5">
      <Paperclip aria-hidden="true" className="size-3.5 shrink-0 text-muted" />
      {first !== undefined && <UserText text={nameWithoutId(first)} />}
      {names.length > 1 && <span className="shrink-0 text-muted">+{names.length - 1}</span>}
    </span>
  );
}

function EntriesCell({ count, text }: { count: number; text: string }) {
  return (
    <span className="flex min-w-0 items-center gap-1.5">
      <Badge className="shrink-0">
        <span className="tabular-nums">{count}</span>
        <span className="sr-only">{count === 1 ? 'entry' : 'entries'}</span>
      </Badge>
      <UserText text={text} />
    </span>
  );
}

export function Stars({ value, max }: { value: number; max: number }) {
  return (
    <span role="img" aria-label={`${value} of ${max}`} className="inline-flex">
      {Array.from({ length: max }, (_, index) => (
        <Star
          // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike
          key={index}
          aria-hidden="true"
          className={`size-3.5 ${index < value ? 'fill-current text-amber-500' : 'text-edge'}`}
        />
      ))}
    </span>
  );
}
