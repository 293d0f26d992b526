import { useQueries, useQuery } from '@tanstack/react-query';
import { useParams, useSearch } from '@tanstack/react-router';
import { Printer } from 'lucide-react';
import { useState } from 'react';
import { ApiError } from '../../api/client.ts';
import { type Form, formQuery } from '../../api/queries.ts';
import { formatCount, formatMoment } from '../../lib/format.ts';
import { OnlyAnsweredBox, useOnlyAnswered } from '../../responses/answers/only-answered.tsx';
import { printedIds } from '../../responses/print-search.ts';
import { responseQuery, type Submission } from '../../responses/queries.ts';
import { ResponseView } from '../../responses/response/response-view.tsx';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { Load } from '../../ui/load.tsx';
import { useTitle } from '../../ui/page.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { EmptyState, ErrorState, Notice } from '../../ui/states.tsx';

const ROUTE = '/workspaces/$workspaceId/forms/$formId/print';

/** Responses for printing or saving as PDF, each on its own sheet. */
export function ResponsesPrint() {
  const { formId } = useParams({ from: ROUTE });
  const ids = printedIds(useSearch({ from: ROUTE }));
  const form = useQuery(formQuery(formId));
  const onlyAnswered = useOnlyAnswered();
  const [withPictures, setWithPictures] = useState(false);
  const responses = useQueries({ queries: ids.map((id) => responseQuery(formId, id)) });
  const found = responses.flatMap(({ data }) => (data ? [data] : []));
  const isGone = (error: Error | null) => error instanceof ApiError && error.status === 404;
  const gone = responses.filter(({ error }) => isGone(error)).length;
  const failed = responses.find(({ error }) => error !== null && !isGone(error));
  const isReady = form.data !== undefined && found.length + gone === ids.length;
  // The title becomes the file's name.
  useTitle(form.data ? `${form.data.title} ${ids.length === 1 ? ids[0] : ''}`.trim() : 'Responses');
  return (
    <div className="@container/screen min-h-dvh bg-surface">
      <header
        data-stays
        className="sticky top-0 z-10 flex flex-wrap items-center gap-3 border-b border-line bg-surface px-4 py-3 print:hidden"
      >
        <h1 className="me-auto font-semibold">{formatCount(ids.length - gone, 'response')} to print</h1>
        <OnlyAnsweredBox onlyAnswered={onlyAnswered} />
        <Checkbox
          label="All pictures"
          checked={withPictures}
          onChange={({ target }) => setWithPictures(target.checked)}
        />
        <Button
          look="primary"
          icon={<Printer className="size-4" />}
          disabledReason={isReady && found.length > 0 ? null : 'The responses are not here yet'}
          onClick={() => void printWithPictures()}
        >
          Print or save as PDF
        </Button>
      </header>
      <main className="mx-auto max-w-3xl px-4 py-8 print:max-w-none print:p-0">
        {ids.length === 0 && (
          <EmptyState title="Nothing to print">Choose responses in the table first.</EmptyState>
        )}
        {gone > 0 && (
          <div className="mb-6 print:hidden">
            <Notice tone="warn">
              {formatCount(gone, 'response is', 'responses are')} left out: deleted, or of another form.
            </Notice>
          </div>
        )}
        {failed?.error && !failed.data && (
          <ErrorState error={failed.error} onRetry={() => void failed.refetch()} />
        )}
        <Load query={form} skeleton={<Skeleton className="h-96" />}>
          {(known) =>
            found.map((response) => (
              <Sheet
                key={response.id}
                form={known}
                response={response}
                isOnlyAnswered={onlyAnswered.isOn}
                showsPictures={withPictures}
              />
            ))
          }
        </Load>
      </main>
    </div>
  );
}

/** Prints once all pictures are there; those that cannot be loaded are left out. */
async function printWithPictures(): Promise<void> {
  await Promise.allSettled([...document.images].map((picture) => picture.decode()));
  window.print();
}

interface SheetProps {
  form: Form;
  response: Submission;
  isOnlyAnswered: boolean;
  showsPictures: boolean;
}

function Sheet({ form, response, ...shown }: SheetProps) {
  return (
    <article className="mb-10 break-after-page border-b border-line pb-10 last:mb-0 last:break-after-auto last:border-b-0 print:mb-0 print:border-b-0 print:pb-0">
      <h2 dir="auto" className="text-lg font-semibold wrap-anywhere">
        {form.title}
      </h2>
      <p className="mb-6 text-muted">{formatMoment(response.created_at)}</p>
      <ResponseView form={form} response={response} {...shown} />
    </article>
  );
}
