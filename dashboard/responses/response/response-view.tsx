import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { isRemoved } from '../../../fields/block-options/answer-retention.ts';
import { charges } from '../../../fields/payment.ts';
import { ownMember, type Property } from '../../../fields/property.ts';
import { canonicalTypeName } from '../../../fields/type-names.ts';
import type { Form } from '../../api/queries.ts';
import { classes } from '../../lib/classes.ts';
import { formatMoment } from '../../lib/format.ts';
import { useRefusal } from '../../lib/workspace.ts';
import { calledOf, linkSettingsQuery, senderQuery, tellsSenders } from '../../recipients/queries.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { formatSeconds } from '../answers/answer-text.ts';
import { Amount, Paid } from '../answers/paid.tsx';
import { isAnswer, WholeAnswer } from '../answers/whole-answer.tsx';
import { endingName } from '../filters/endings.ts';
import type { Submission } from '../queries.ts';
import { StatusBadge } from '../table/cell.tsx';
import { inputsOf } from '../table/columns.ts';

interface ResponseViewProps {
  form: Form;
  response: Submission;
  /** Leaves out unanswered questions. */
  isOnlyAnswered: boolean;
  /** Shows all pictures unasked, not only signatures. */
  showsPictures?: boolean | undefined;
}

/** Questions with answers. On paper in blocks, as pages break between these only. */
const LIST = 'grid grid-cols-1 gap-5 print:block print:space-y-5';

/** A whole response: every question with its answer, then further facts. */
export function ResponseView({ form, response, isOnlyAnswered, showsPictures }: ResponseViewProps) {
  const refusal = useRefusal('user');
  const current = inputsOf(form.properties);
  const shown = isOnlyAnswered ? current.filter(({ id }) => isAnswer(ownMember(response.data, id))) : current;
  const ids = new Set(current.map(({ id }) => id));
  const removed = inputsOf(form.removed_properties).filter(
    ({ id }) => !ids.has(id) && ownMember(response.data, id) !== undefined,
  );
  const attribution = Object.entries(response.meta?.attribution ?? {});
  return (
    <div className="grid grid-cols-1 gap-6 print:block print:space-y-6">
      {shown.length === 0 && current.length > 0 && (
        <p className="text-muted">
          {current.some(({ id }) => isRemoved(response.data, id))
            ? 'What was answered was removed when its time was over.'
            : 'Nothing was answered.'}
        </p>
      )}
      <dl className={LIST}>
        {shown.map((property) => (
          <Answered key={property.id} {...{ property, response, showsPictures }} />
        ))}
      </dl>
      {removed.length > 0 && (
        <section className="grid grid-cols-1 gap-3 print:block print:space-y-3">
          <h3 className="text-xs font-medium text-muted">Removed questions</h3>
          <dl className={LIST}>
            {removed.map((property) => (
              <Answered key={property.id} {...{ property, response, showsPictures }} />
            ))}
          </dl>
        </section>
      )}
      <section className="grid grid-cols-1 gap-3 border-t border-line pt-4 print:break-inside-avoid">
        <h3 className="text-xs font-medium text-muted">About this response</h3>
        <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-6 gap-y-2 text-[0.8125rem] @max-3xs/screen:grid-cols-1">
          <Fact name="Status">
            <StatusBadge status={response.status} />
          </Fact>
          {refusal === null && <SentBy form={form} response={response} />}
          {response.confirmed_email && (
            <Fact name="Address confirmed">
              <bdi className="break-words">{response.confirmed_email.email}</bdi>
              <span className="text-muted"> on {formatMoment(response.confirmed_email.confirmed_at)}</span>
            </Fact>
          )}
          {response.payment && (
            <Fact name="Paid">
              <Paid payment={response.payment} />
            </Fact>
          )}
          <Fact name="Submitted">{formatMoment(response.created_at)}</Fact>
          {response.updated_at !== response.created_at && (
            <Fact name="Changed">{formatMoment(response.updated_at)}</Fact>
          )}
          {response.ending !== null && (
            <Fact name="Ending">
              <bdi className="break-words">{endingName(response.ending)}</bdi>
            </Fact>
          )}
          {response.completion_time !== null && (
            <Fact name="Time taken">{formatSeconds(response.completion_time)}</Fact>
          )}
          <Fact name="Number">{response.id}</Fact>
          {response.submission_id !== null && (
            <Fact name="ID">
              <span className="font-mono text-xs break-all">{response.submission_id}</span>
            </Fact>
          )}
          {form.editable_submissions === true && response.status === 'completed' && refusal === null && (
            <Fact name="Edit link" isOnScreenOnly>
              <CopyButton
                size="sm"
                label="Copy edit link"
                text={`${form.share_url}?submission_id=${response.submission_id}`}
              />
              <p className="mt-1 text-muted">Whoever has it can see and change these answers.</p>
            </Fact>
          )}
          {attribution.map(([key, value]) => (
            <Fact key={key} name={key}>
              <bdi className="break-words">{String(value)}</bdi>
            </Fact>
          ))}
        </dl>
      </section>
    </div>
  );
}

/** Whose personal link it came by, if the form has such links and is not anonymous. */
function SentBy({ form, response }: { form: Form; response: Submission }) {
  const id = String(form.id);
  const { data: settings } = useQuery(linkSettingsQuery(id));
  const { data: sender } = useQuery({ ...senderQuery(id, response.id), enabled: tellsSenders(settings) });
  if (!sender) return null;
  const { name, email } = sender;
  return (
    <Fact name="Sent by">
      {calledOf(sender)}
      {name !== null && email !== null && <span className="text-muted"> {email}</span>}
    </Fact>
  );
}

interface FactProps {
  name: string;
  /** Left out on paper. */
  isOnScreenOnly?: boolean;
  children: ReactNode;
}

function Fact({ name, isOnScreenOnly = false, children }: FactProps) {
  const onPaper = isOnScreenOnly ? 'print:hidden' : '';
  return (
    <>
      <dt className={classes('text-muted', onPaper)}>{name}</dt>
      <dd className={classes('min-w-0', onPaper)}>{children}</dd>
    </>
  );
}

function Answered({
  property,
  response,
  showsPictures,
}: Pick<ResponseViewProps, 'response' | 'showsPictures'> & { property: Property }) {
  const isSignature = canonicalTypeName(property.type) === 'signature';
  return (
    <div className="grid min-w-0 grid-cols-1 gap-1 print:block print:has-[img]:break-inside-avoid">
      <dt dir="auto" className="text-[0.8125rem] break-words text-muted print:mb-1 print:break-after-avoid">
        {property.name}
      </dt>
      <dd className="min-w-0">
        {isRemoved(response.data, property.id) ? (
          <span className="text-muted">Removed when its time was over</span>
        ) : response.payment && charges(property) ? (
          <Amount payment={response.payment} />
        ) : (
          <WholeAnswer
            property={property}
            answer={ownMember(response.data, property.id)}
            files={response.files && ownMember(response.files, property.id)}
            showsPictures={showsPictures || isSignature}
          />
        )}
      </dd>
    </div>
  );
}
