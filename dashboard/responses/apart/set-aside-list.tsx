import { Check, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { amountText } from '../../../fields/as-text/currencies.ts';
import { ownMember } from '../../../fields/property.ts';
import type { Form } from '../../api/queries.ts';
import { formatDay, formatMoment } from '../../lib/format.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { ResponseDialog } from '../response/response-dialog.tsx';
import { isNothing, ResponseCell } from '../table/cell.tsx';
import { columnsOf } from '../table/columns.ts';
import type { Selection } from '../table/use-selection.ts';
import { PAYMENT_STATES, type SetAsideResponse } from './set-aside.ts';

/** Answers shown of each, enough to tell spam; opened, it shows all. */
const ANSWERS = 3;

interface SetAsideListProps {
  form: Form;
  rows: readonly SetAsideResponse[];
  selection: Selection;
  /** Why no action is possible; null if they are. */
  refusal: string | null;
  releaseLabel: string;
  onRelease(id: number): void;
  onDelete(id: number): void;
}

/** Each with the reasons and its first answers, and what can be done about it. */
export function SetAsideList({
  form,
  rows,
  selection,
  refusal,
  releaseLabel,
  onRelease,
  onDelete,
}: SetAsideListProps) {
  const [opened, setOpened] = useState<SetAsideResponse | null>(null);
  const columns = columnsOf(form).filter(({ property, isRemoved }) => property && !isRemoved);
  return (
    <>
      <ul className="divide-y divide-line rounded-xl border border-line bg-surface">
        {rows.map((row) => (
          <li key={row.id} className="flex flex-wrap items-start gap-x-4 gap-y-3 p-4">
            <input
              type="checkbox"
              aria-label={`Select the response of ${formatMoment(row.created_at)}`}
              className="mt-1 size-4 accent-accent"
              checked={selection.has(row.id)}
              onChange={() => selection.set([row], !selection.has(row.id))}
            />
            <div className="grid min-w-0 flex-1 basis-64 gap-1">
              <p className="flex flex-wrap items-baseline gap-x-3">
                <button
                  type="button"
                  className="text-start font-medium hover:underline"
                  onClick={() => setOpened(row)}
                >
                  {formatMoment(row.created_at)}
                </button>
                {row.deleted_at !== null && (
                  <span className="text-[0.8125rem] text-muted">
                    Will be deleted on {formatDay(row.deleted_at)}
                  </span>
                )}
              </p>
              <Reasons row={row} />
              <dl className="mt-1 grid gap-1">
                {columns
                  .filter(
                    ({ property }) => property && !isNothing(property, ownMember(row.data, property.id)),
                  )
                  .slice(0, ANSWERS)
                  .map((column) => (
                    <div key={column.key} className="flex min-w-0 gap-2">
                      <dt className="max-w-32 shrink-0 truncate text-muted">
                        <bdi>{column.label}</bdi>
                      </dt>
                      <dd className="min-w-0 flex-1 truncate">
                        <ResponseCell column={column} row={row} />
                      </dd>
                    </div>
                  ))}
              </dl>
            </div>
            <div className="flex w-full flex-wrap gap-2 ps-8 sm:w-auto sm:ps-0">
              <Button
                size="sm"
                icon={<Check className="size-4" />}
                disabledReason={refusal}
                onClick={() => onRelease(row.id)}
              >
                {releaseLabel}
              </Button>
              <Button
                size="sm"
                look="quiet"
                icon={<Trash2 className="size-4" />}
                disabledReason={refusal}
                onClick={() => onDelete(row.id)}
              >
                Delete
              </Button>
            </div>
          </li>
        ))}
      </ul>
      <ResponseDialog
        form={form}
        response={opened}
        description={({ reasons }) => reasons.map(({ message }) => message).join(' ')}
        onClose={() => setOpened(null)}
      />
    </>
  );
}

function Reasons({ row }: { row: SetAsideResponse }) {
  if (row.unconfirmed_email !== null)
    return (
      <p className="break-words">
        Not confirmed yet: <bdi>{row.unconfirmed_email}</bdi>
      </p>
    );
  if (row.due !== null) return <PaymentLine row={row} due={row.due} />;
  return (
    <ul className="grid gap-0.5" aria-label="Why it was set aside">
      {row.reasons.map(({ code, message }) => (
        <li key={code} className="text-warn">
          {message}
        </li>
      ))}
    </ul>
  );
}

function PaymentLine({ row, due }: { row: SetAsideResponse; due: { amount: number; currency: string } }) {
  const { payment, payment_state: state, refusal } = row;
  return (
    <div className="grid gap-0.5">
      <p className="flex flex-wrap items-center gap-2">
        <span className="font-medium">{amountText(due.amount, due.currency, 'en')}</span>
        {payment?.mode === 'test' && <Badge tone="warn">Test mode</Badge>}
        {payment && (
          <span className="font-mono text-xs break-all" title="The payment at Stripe">
            {payment.reference}
          </span>
        )}
      </p>
      <p className={refusal === null ? undefined : 'text-warn'}>{refusal ?? PAYMENT_STATES[state ?? '']}</p>
    </div>
  );
}
