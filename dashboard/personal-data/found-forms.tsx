import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { amountText } from '../../fields/as-text/currencies.ts';
import { canonicalTypeName, holdsFiles } from '../../fields/type-names.ts';
import { formatCount, formatMoment } from '../lib/format.ts';
import { visibleText } from '../responses/answers/answer-text.ts';
import { FileLink } from '../responses/answers/file-link.tsx';
import { Paid } from '../responses/answers/paid.tsx';
import { PAYMENT_STATES } from '../responses/apart/set-aside.ts';
import { WAITING } from '../responses/apart/waiting-kinds.ts';
import { StatusBadge } from '../responses/table/cell.tsx';
import { Button } from '../ui/button.tsx';
import { UserText } from '../ui/user-text.tsx';
import { type Found, isOwedBack } from './found.ts';
import type { FoundResponse } from './queries.ts';

/** Responses shown of a form until the user asks for all. */
const SHOWN = 10;

/** The responses that contain the value, by form. */
export function FoundForms({ forms }: Pick<Found, 'forms'>) {
  return forms.map((form) => <FormGroup key={form.id} form={form} />);
}

function FormGroup({ form: { title, responses } }: { form: Found['forms'][number] }) {
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? responses : responses.slice(0, SHOWN);
  return (
    <section aria-label={title} className="rounded-xl border border-line bg-surface">
      <div className="flex items-baseline justify-between gap-4 border-b border-line px-4 py-3 sm:px-5">
        <h2 className="min-w-0 font-semibold wrap-anywhere">
          <bdi>{title}</bdi>
        </h2>
        <span className="shrink-0 text-muted tabular-nums">{formatCount(responses.length, 'response')}</span>
      </div>
      <ul className="divide-y divide-line">
        {shown.map((response) => (
          <li key={response.id} className="grid grid-cols-1 gap-1 px-4 py-3 sm:px-5">
            <Response response={response} />
          </li>
        ))}
      </ul>
      {shown.length < responses.length && (
        <div className="border-t border-line px-4 py-3 sm:px-5">
          <Button size="sm" onClick={() => setWhole(true)}>
            Show all {formatCount(responses.length, 'response')}
          </Button>
        </div>
      )}
    </section>
  );
}

const LINK = 'font-medium text-accent underline-offset-2 hover:underline';

function Response({ response }: { response: FoundResponse }) {
  const { form, id, status, created_at, trashed_at, found_in, found_earlier_in } = response;
  const { answers, earlier_answers, files, found_by_link } = response;
  const formPath = { workspaceId: String(form.workspace_id), formId: String(form.id) };
  const fields = answers.filter((answer) => found_in.includes(answer.id));
  const earlier = found_earlier_in.flatMap(
    (id) => earlier_answers.flatMap((change) => change.answers).find((answer) => answer.id === id) ?? [],
  );
  const others = otherAnswers(response);
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        {status === 'set_aside' ? (
          <SetAsideLink response={response} formPath={formPath} />
        ) : trashed_at ? (
          <Link
            to="/workspaces/$workspaceId/forms/$formId/responses/trash"
            params={formPath}
            className={LINK}
          >
            Response {id} in the trash
          </Link>
        ) : (
          <Link
            to="/workspaces/$workspaceId/forms/$formId/responses/$submissionId"
            params={{ ...formPath, submissionId: String(id) }}
            className={LINK}
          >
            Response {id}
          </Link>
        )}
        <StatusBadge status={status} />
        <time dateTime={created_at} className="text-muted">
          {formatMoment(created_at)}
        </time>
      </div>
      <Money response={response} />
      {fields.length > 0 && <FoundIn words="Found in" fields={fields} />}
      {earlier.length > 0 && <FoundIn words="Said before, in" fields={earlier} />}
      {found_by_link && <p className="text-[0.8125rem] text-muted">Came by their personal link</p>}
      {others && <UserText text={others} className="text-[0.8125rem] text-muted" />}
      {files.length > 0 && (
        <ul className="flex flex-wrap gap-x-4 gap-y-1 text-[0.8125rem]">
          {files.map((file) => (
            <li key={file.file_name} className="min-w-0">
              <FileLink file={file} />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

/** To where it waits. */
function SetAsideLink({
  response,
  formPath,
}: {
  response: FoundResponse;
  formPath: { workspaceId: string; formId: string };
}) {
  const kind = isOwedBack(response) ? 'paid' : response.due ? 'unpaid' : 'spam';
  const words = {
    paid: 'A response that is paid, but not taken in',
    unpaid: 'A response that awaits its payment',
    spam: 'A response that was set aside',
  };
  return (
    <Link to={WAITING[kind].path} params={formPath} className={LINK}>
      {words[kind]}
    </Link>
  );
}

/** What was paid for it, or has to be. */
function Money({ response: { payment, due, payment_state: state, refusal } }: { response: FoundResponse }) {
  if (payment)
    return (
      <div className="text-[0.8125rem]">
        <Paid payment={payment} />
        {refusal && <p className="text-warn">{refusal}</p>}
      </div>
    );
  if (!due) return null;
  return (
    <p className="text-[0.8125rem]">
      {amountText(due.amount, due.currency, 'en')}: {PAYMENT_STATES[state ?? '']}
    </p>
  );
}

function FoundIn({ words, fields }: { words: string; fields: FoundResponse['answers'] }) {
  return (
    <p className="text-[0.8125rem] break-words text-muted">
      {words}{' '}
      {fields.map(({ id, name }, index) => (
        <span key={id}>
          {index > 0 && ', '}
          <bdi>{name ?? 'a question that was removed'}</bdi>
        </span>
      ))}
    </p>
  );
}

/** The other answers in one line, to tell the person from somebody with the same name. */
function otherAnswers({ answers, found_in }: FoundResponse): string {
  const parts = answers.flatMap(({ id, name, type, value }) => {
    if (found_in.includes(id) || holdsFiles(canonicalTypeName(type ?? ''))) return [];
    if (typeof value !== 'string' && typeof value !== 'number') return [];
    const text =
      type === 'rich_text' ? visibleText(String(value)) : String(value).replace(/\s+/g, ' ').trim();
    return text === '' ? [] : [asked(name) + text];
  });
  return parts.join(' · ');
}

function asked(name: string | null): string {
  if (name === null) return '';
  return /\p{Punctuation}$/u.test(name.trim()) ? `${name} ` : `${name}: `;
}
