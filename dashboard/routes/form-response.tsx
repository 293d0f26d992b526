import { useInfiniteQuery, useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { ChevronDown, ChevronUp, Link2, Pencil, Printer, Trash2, X } from 'lucide-react';
import { Dialog } from 'radix-ui';
import { Fragment, useEffect, useRef, useState } from 'react';
import { ApiError } from '../api/client.ts';
import { formQuery } from '../api/queries.ts';
import { formatMoment } from '../lib/format.ts';
import { useHotkeys } from '../lib/use-hotkeys.ts';
import { useRefusal } from '../lib/workspace.ts';
import { ChangeHistory } from '../responses/change-history.tsx';
import { EditResponse } from '../responses/edit-response.tsx';
import { GoneResponse } from '../responses/gone-response.tsx';
import { MoreFailed } from '../responses/more-failed.tsx';
import { OnlyAnsweredBox, useOnlyAnswered } from '../responses/only-answered.tsx';
import { nameOf, responseQuery, responsesQuery, type Submission } from '../responses/queries.ts';
import { ResponseView } from '../responses/response-view.tsx';
import { ReviewHistory } from '../responses/review-history.tsx';
import { ReviewLine } from '../responses/review-line.tsx';
import { useTrashResponse } from '../responses/trash.ts';
import { useShown } from '../responses/use-shown.ts';
import { useLeaving } from '../shell/use-leaving.tsx';
import { buttonClasses, IconButton } from '../ui/button.tsx';
import { copyText } from '../ui/copy-button.tsx';
import { Load } from '../ui/load.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { showToast } from '../ui/toasts.tsx';
import { Tooltip } from '../ui/tooltip.tsx';

const ROUTE = '/app/workspaces/$workspaceId/forms/$formId/responses/$submissionId';
/** On wide screens the table stays usable beside it. */
const HAS_ROOM = '(min-width: 64rem)';

/** One response beside the table: view, edit, move to the trash, and go to the next by keyboard. */
export function FormResponse() {
  const { workspaceId, formId, submissionId } = useParams({ from: ROUTE });
  const { address, filter, unknown } = useShown();
  const navigate = useNavigate();
  const { data: form } = useSuspenseQuery(formQuery(formId));
  const refusal = useRefusal('user');
  // Fixed when opened: a change with the window's size would mount it anew and lose unsaved input.
  const [isModal] = useState(() => !window.matchMedia(HAS_ROOM).matches);
  const [isEditing, setEditing] = useState(false);
  const [isChanged, setChanged] = useState(false);
  const [isWriting, setWriting] = useState(false);
  const onlyAnswered = useOnlyAnswered();
  const historyHeading = useRef<HTMLHeadingElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another response is read first
  useEffect(() => stopEditing(), [submissionId]);
  const stopEditing = () => {
    setEditing(false);
    setChanged(false);
  };
  const loss = isWriting ? 'Your note would be lost.' : 'What you changed of this response would be lost.';
  const leaving = useLeaving(isChanged || isWriting, loss);

  const list = useInfiniteQuery({ ...responsesQuery(formId, filter), enabled: unknown === null });
  const rows = list.data?.pages.flatMap((page) => page.rows) ?? [];
  const index = rows.findIndex(
    (row) => row.submission_id === submissionId || String(row.id) === submissionId,
  );
  // The row has the same content, so it is shown while loading.
  const row = rows[index];
  const response = useQuery({ ...responseQuery(formId, submissionId), ...(row && { placeholderData: row }) });
  const isGone = !response.data && response.error instanceof ApiError && response.error.status === 404;
  const former = index > 0 ? rows[index - 1] : undefined;
  const next = index >= 0 ? rows[index + 1] : undefined;
  const isNearEnd = index >= 0 && index >= rows.length - 2 && list.hasNextPage;
  const { fetchNextPage, fetchPreviousPage, isFetching } = list;
  const { isFetchNextPageError: isNextLost, isFetchPreviousPageError: isFormerLost } = list;
  const isNearStart = index >= 0 && index <= 1 && list.hasPreviousPage;
  useEffect(() => {
    if (isFetching) return;
    if (isNearEnd && !isNextLost) void fetchNextPage();
    else if (isNearStart && !isFormerLost) void fetchPreviousPage();
  }, [isNearEnd, isNearStart, isFetching, isNextLost, isFormerLost, fetchNextPage, fetchPreviousPage]);

  const open = (id: string | undefined) => {
    if (!id || isEditing) return;
    void navigate({
      to: '/workspaces/$workspaceId/forms/$formId/responses/$submissionId',
      params: { workspaceId, formId, submissionId: id },
      search: address,
      replace: true,
    });
  };
  const close = () =>
    void navigate({
      to: '/workspaces/$workspaceId/forms/$formId/responses',
      params: { workspaceId, formId },
      search: address,
    });
  const whyNotTo = (
    beside: Submission | undefined,
    hasMore: boolean,
    isLost: boolean,
    atEnd: string,
  ): string | null => {
    if (isEditing) return 'Save or cancel first';
    if (beside) return null;
    if (isFetching) return 'Loading …';
    if (index < 0) return 'The list does not show this response';
    if (!hasMore) return atEnd;
    return isLost ? 'It could not be loaded' : 'Loading …';
  };
  const toFormer = () => open(former && nameOf(former));
  const toNext = () => open(next && nameOf(next));
  const trash = useTrashResponse(formId, () => {
    const beside = next ?? former;
    if (beside) open(nameOf(beside));
    else close();
  });
  useHotkeys({ j: toNext, arrowright: toNext, k: toFormer, arrowleft: toFormer });

  return (
    <Dialog.Root open modal={isModal} onOpenChange={(isOpen) => !isOpen && close()}>
      <Dialog.Portal>
        <Dialog.Content
          aria-describedby={undefined}
          // Rows of the table may be clicked while it is open; unsaved changes stay until they are saved or left.
          onInteractOutside={(event) => event.preventDefault()}
          onEscapeKeyDown={(event) => {
            if (!isEditing) return;
            event.preventDefault();
            leaving.before(stopEditing);
          }}
          onOpenAutoFocus={(event) => {
            event.preventDefault();
            (event.currentTarget as HTMLElement).focus();
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            focusRow(submissionId);
          }}
          data-alone-on-paper
          className="@container/screen animate-appear fixed inset-y-0 inset-e-0 z-40 flex w-full flex-col border-s border-line bg-raised shadow-xl outline-none sm:w-md lg:top-13 print:static print:block print:w-full print:animate-none print:border-0 print:shadow-none"
        >
          <p dir="auto" className="hidden px-4 text-lg font-semibold wrap-anywhere print:block">
            {form.title}
          </p>
          <div className="flex items-center gap-1 border-b border-line px-4 py-2.5 print:border-0 print:pt-0 @max-3xs/screen:flex-wrap">
            {/* Said when another response is opened with the keys or buttons. */}
            <Dialog.Title
              aria-live="polite"
              className="me-auto min-w-0 text-[0.8125rem] leading-tight font-semibold sm:text-base"
            >
              {response.data ? formatMoment(response.data.created_at) : 'Response'}
              {response.data && <span className="sr-only"> (number {response.data.id})</span>}
            </Dialog.Title>
            <IconButton
              label="Previous (k)"
              size="sm"
              disabledReason={whyNotTo(former, list.hasPreviousPage, isFormerLost, 'This is the first')}
              onClick={toFormer}
            >
              <ChevronUp className="size-4" />
            </IconButton>
            <IconButton
              label="Next (j)"
              size="sm"
              disabledReason={whyNotTo(next, list.hasNextPage, isNextLost, 'This is the last')}
              onClick={toNext}
            >
              <ChevronDown className="size-4" />
            </IconButton>
            {!isGone && (
              <>
                <Tooltip text="Print or save as PDF">
                  <a
                    href={`/workspaces/${workspaceId}/forms/${formId}/print?ids=${response.data?.id ?? ''}`}
                    target="_blank"
                    rel="noreferrer"
                    aria-label="Print, in a new tab"
                    className={buttonClasses('quiet', 'icon-sm')}
                  >
                    <Printer className="size-4" />
                  </a>
                </Tooltip>
                <IconButton
                  label="Copy link"
                  size="sm"
                  onClick={async () => {
                    if (await copyText(window.location.href)) showToast({ text: 'The link was copied.' });
                  }}
                >
                  <Link2 className="size-4" />
                </IconButton>
                <IconButton
                  label="Edit"
                  size="sm"
                  disabledReason={refusal}
                  aria-pressed={isEditing}
                  onClick={() => leaving.before(isEditing ? stopEditing : () => setEditing(true))}
                >
                  <Pencil className="size-4" />
                </IconButton>
                <IconButton
                  label="Move to trash"
                  size="sm"
                  disabledReason={refusal ?? (isEditing ? 'Save or cancel first' : null)}
                  onClick={() => response.data && leaving.before(() => trash.run(response.data))}
                >
                  <Trash2 className="size-4" />
                </IconButton>
              </>
            )}
            <IconButton label="Close" size="sm" onClick={close}>
              <X className="size-4" />
            </IconButton>
          </div>
          <div className="min-h-0 flex-1 overflow-y-auto p-4 print:pt-0">
            {(isNearEnd || isNearStart) && <MoreFailed list={list} className="mb-4" />}
            {isGone ? (
              <GoneResponse
                form={form}
                formPath={{ workspaceId, formId }}
                submissionId={submissionId}
                skeleton={<PanelSkeleton />}
              />
            ) : (
              <Load query={response} skeleton={<PanelSkeleton />}>
                {(loaded) =>
                  isEditing ? (
                    <EditResponse
                      key={loaded.id}
                      form={form}
                      response={loaded}
                      address={submissionId}
                      onChanged={() => setChanged(true)}
                      onDone={stopEditing}
                    />
                  ) : (
                    <Fragment key={loaded.id}>
                      <div className="mb-5 flex flex-wrap items-center justify-between gap-x-4 gap-y-2 print:hidden">
                        <ReviewLine
                          formId={formId}
                          response={loaded}
                          onHistory={() => historyHeading.current?.focus()}
                        />
                        <OnlyAnsweredBox onlyAnswered={onlyAnswered} />
                      </div>
                      <ResponseView form={form} response={loaded} isOnlyAnswered={onlyAnswered.isOn} />
                      <div className="print:hidden">
                        <ChangeHistory form={form} response={loaded} nextRef={historyHeading} />
                        <ReviewHistory
                          formId={formId}
                          response={loaded}
                          headingRef={historyHeading}
                          onWriting={setWriting}
                        />
                      </div>
                    </Fragment>
                  )
                }
              </Load>
            )}
          </div>
          {leaving.question}
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

/** Focuses the response's row in the table, or the content of the screen. */
function focusRow(id: string): void {
  const link = document.querySelector<HTMLElement>(`[data-response="${CSS.escape(id)}"]`);
  (link ?? document.getElementById('content'))?.focus();
}

function PanelSkeleton() {
  return (
    <div className="grid gap-6">
      {Array.from({ length: 5 }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike
        <div key={index} className="grid gap-2">
          <Skeleton className="w-28" />
          <Skeleton className="w-64" />
        </div>
      ))}
    </div>
  );
}
