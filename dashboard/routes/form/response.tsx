import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { Dialog } from 'radix-ui';
import { type KeyboardEvent, type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { ApiError } from '../../api/client.ts';
import { type Form, formQuery } from '../../api/queries.ts';
import { useHasLeft } from '../../lib/use-has-left.ts';
import { useHotkeys } from '../../lib/use-hotkeys.ts';
import { useOnlyAnswered } from '../../responses/answers/only-answered.tsx';
import { useTrashResponse } from '../../responses/apart/trash.ts';
import { nameOf, responseQuery, type Submission } from '../../responses/queries.ts';
import { EditResponse } from '../../responses/response/edit-response.tsx';
import { GoneResponse } from '../../responses/response/gone-response.tsx';
import { PanelActions, PanelHead, UNSAVED } from '../../responses/response/panel-head.tsx';
import { ReadResponse } from '../../responses/response/read-response.tsx';
import { useBeside } from '../../responses/response/use-beside.ts';
import { MoreFailed } from '../../responses/table/more-failed.tsx';
import { type Shown, useShown } from '../../responses/views/use-shown.ts';
import { useLeaving } from '../../shell/use-leaving.tsx';
import { Load } from '../../ui/load.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';

const ROUTE = '/app/workspaces/$workspaceId/forms/$formId/responses/$submissionId';
/** On wide screens the table stays usable beside it. */
const HAS_ROOM = '(min-width: 64rem)';

/** One response beside the table: view, edit, move to the trash, and go to the next by keyboard. */
export function FormResponse() {
  const { workspaceId, formId, submissionId } = useParams({ from: ROUTE });
  const shown = useShown();
  const { data: form } = useSuspenseQuery(formQuery(formId));
  const editing = useEditing(submissionId);
  const { isEditing, leaving, edit, stopEditing } = editing;
  const onlyAnswered = useOnlyAnswered();
  const { row, former, next, list } = useBeside(formId, submissionId, shown);
  // The row has the same content, so it is shown while loading.
  const response = useQuery({ ...responseQuery(formId, submissionId), ...(row && { placeholderData: row }) });
  const isGone = !response.data && response.error instanceof ApiError && response.error.status === 404;
  const { open, close } = useWays(shown, isEditing);
  const toFormer = () => open(former.to && nameOf(former.to));
  const toNext = () => open(next.to && nameOf(next.to));
  const hasLeft = useHasLeft();
  const shownId = useRef(response.data?.id);
  shownId.current = response.data?.id;
  const trash = useTrashResponse(formId, (id) => {
    if (hasLeft() || shownId.current !== id) return;
    const beside = next.to ?? former.to;
    // Whoever was writing a note was asked before.
    if (beside) open(nameOf(beside), true);
    else close(true);
  });
  useHotkeys({ j: toNext, arrowright: toNext, k: toFormer, arrowleft: toFormer });
  return (
    <ResponsePanel submissionId={submissionId} editing={editing} onClose={() => close()}>
      <p dir="auto" className="hidden px-4 text-lg font-semibold wrap-anywhere print:block">
        {form.title}
      </p>
      <PanelHead
        response={response.data}
        toFormer={{ go: toFormer, refusal: isEditing ? UNSAVED : former.refusal }}
        toNext={{ go: toNext, refusal: isEditing ? UNSAVED : next.refusal }}
        onClose={() => close()}
      >
        {!isGone && (
          <PanelActions
            printAddress={`/workspaces/${workspaceId}/forms/${formId}/print?ids=${response.data?.id ?? ''}`}
            isEditing={isEditing}
            editButton={editing.editButton}
            onEdit={() => leaving.before(isEditing ? stopEditing : edit)}
            onTrash={() => response.data && leaving.before(() => trash(response.data))}
          />
        )}
      </PanelHead>
      <div className="min-h-0 flex-1 overflow-y-auto p-4 print:pt-0">
        {list && <MoreFailed list={list} className="mb-4" />}
        {isGone ? (
          <GoneResponse
            form={form}
            formPath={{ workspaceId, formId }}
            submissionId={submissionId}
            skeleton={<PanelSkeleton />}
          />
        ) : (
          <Load query={response} skeleton={<PanelSkeleton />}>
            {(loaded) => (
              <ReadOrEdit
                form={form}
                formId={formId}
                response={loaded}
                submissionId={submissionId}
                editing={editing}
                onlyAnswered={onlyAnswered}
              />
            )}
          </Load>
        )}
      </div>
      {leaving.question}
    </ResponsePanel>
  );
}

/** The ways to another response and back to the table, which keep what that shows. */
function useWays({ address }: Shown, isEditing: boolean) {
  const { workspaceId, formId } = useParams({ from: ROUTE });
  const navigate = useNavigate();
  const open = (id: string | undefined, ignoreBlocker = false) => {
    if (!id || isEditing) return;
    void navigate({
      ignoreBlocker,
      to: '/workspaces/$workspaceId/forms/$formId/responses/$submissionId',
      params: { workspaceId, formId, submissionId: id },
      search: address,
      replace: true,
    });
  };
  const close = (ignoreBlocker = false) =>
    void navigate({
      ignoreBlocker,
      to: '/workspaces/$workspaceId/forms/$formId/responses',
      params: { workspaceId, formId },
      search: address,
    });
  return { open, close };
}

interface ReadOrEditProps {
  form: Form;
  formId: string;
  response: Submission;
  /** Id or number of the response in the address. */
  submissionId: string;
  editing: Editing;
  onlyAnswered: ReturnType<typeof useOnlyAnswered>;
}

function ReadOrEdit({ form, formId, response, submissionId, editing, onlyAnswered }: ReadOrEditProps) {
  if (editing.isEditing)
    return (
      <EditResponse
        key={response.id}
        form={form}
        response={response}
        address={submissionId}
        onChanged={() => editing.setChanged(true)}
        onDone={editing.stopEditing}
      />
    );
  return (
    <ReadResponse
      key={response.id}
      form={form}
      formId={formId}
      response={response}
      onlyAnswered={onlyAnswered}
      onWriting={editing.setWriting}
    />
  );
}

interface ResponsePanelProps {
  submissionId: string;
  editing: Editing;
  onClose(): void;
  children: ReactNode;
}

/** The frame of an open response: a dialog, beside which the table stays usable on wide screens. */
function ResponsePanel({ submissionId, editing, onClose, children }: ResponsePanelProps) {
  // Fixed when opened: a change with the window's size would mount it anew and lose unsaved input.
  const [isModal] = useState(() => !window.matchMedia(HAS_ROOM).matches);
  return (
    <Dialog.Root open modal={isModal} onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Dialog.Portal>
        <Dialog.Content
          aria-describedby={undefined}
          // Rows of the table may be clicked while it is open; unsaved changes stay until they are saved or left.
          onInteractOutside={(event) => event.preventDefault()}
          onEscapeKeyDown={(event) => {
            if (!editing.isEditing) return;
            event.preventDefault();
            editing.leaving.before(editing.stopEditing);
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
          {/* A dialog keeps Tab in a circle; beside it the table, and the way to undo, have to be reached. */}
          {/* biome-ignore lint/a11y/noStaticElementInteractions: it only hides a key from the dialog around it */}
          <div className="contents" onKeyDown={isModal ? undefined : keepTabFromDialog}>
            {children}
          </div>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function keepTabFromDialog(event: KeyboardEvent): void {
  if (event.key === 'Tab') event.stopPropagation();
}

type Editing = ReturnType<typeof useEditing>;

/** Whether the response is being edited or a note written, and the question before either is lost. */
function useEditing(submissionId: string) {
  const [isEditing, setEditing] = useState(false);
  const [isChanged, setChanged] = useState(false);
  const [isWriting, setWriting] = useState(false);
  const stopEditing = () => {
    setEditing(false);
    setChanged(false);
  };
  const editButton = useReturnedFocus(isEditing);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another response is read first
  useEffect(() => stopEditing(), [submissionId]);
  const loss = isWriting ? 'Your note would be lost.' : 'What you changed of this response would be lost.';
  const leaving = useLeaving(isChanged || isWriting, loss);
  return {
    isEditing,
    editButton,
    leaving,
    edit: () => setEditing(true),
    stopEditing,
    setChanged,
    setWriting,
  };
}

/**
 * Moves the focus that went with the inputs when the editing ends.
 * @returns a ref for the button that begins it
 */
function useReturnedFocus(isEditing: boolean) {
  const button = useRef<HTMLButtonElement>(null);
  const wasEditing = useRef(false);
  useLayoutEffect(() => {
    const isOver = wasEditing.current && !isEditing;
    wasEditing.current = isEditing;
    if (!isOver) return;
    // The question that was asked before closes first.
    setTimeout(() => {
      if (document.activeElement?.contains(button.current)) button.current?.focus();
    });
  }, [isEditing]);
  return button;
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
