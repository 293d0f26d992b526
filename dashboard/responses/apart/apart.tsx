import { type ReactNode, useState } from 'react';
import { formatCount } from '../../lib/format.ts';
import { BackLink } from '../../shell/back-link.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { type Selection, useSelection } from '../table/use-selection.ts';

// What the screens of responses that are kept apart have in common: the trash, and what was set aside.

interface ApartHeadProps {
  formPath: { workspaceId: string; formId: string };
  title: string;
  children: ReactNode;
}

/** The way back, the title and a text. */
export function ApartHead({ formPath, title, children }: ApartHeadProps) {
  return (
    <div className="me-auto grid gap-1">
      <BackLink to="/workspaces/$workspaceId/forms/$formId/responses" params={formPath}>
        Responses
      </BackLink>
      <h2 className="font-semibold">{title}</h2>
      {children}
    </div>
  );
}

/** @typeParam All `'all'` where everything in the list can be deleted at once */
interface Chosen<All extends 'all' = never> {
  selection: Selection;
  /** Selected ids that still exist in the list. */
  ids: number[];
  /** What the user is asked to delete; null while the question is closed. */
  doomed: readonly number[] | All | null;
  askToDelete(doomed: readonly number[] | All): void;
  closeQuestion(): void;
}

/** What is selected of a list, and asked to be deleted. @param rows those shown */
export function useChosen<All extends 'all' = never>(rows: readonly { id: number }[]): Chosen<All> {
  const selection = useSelection();
  const [doomed, setDoomed] = useState<Chosen<All>['doomed']>(null);
  return {
    selection,
    ids: rows.map(({ id }) => id).filter(selection.has),
    doomed,
    askToDelete: setDoomed,
    closeQuestion: () => setDoomed(null),
  };
}

interface ChosenActionsProps {
  chosen: Pick<Chosen, 'ids' | 'askToDelete'>;
  /** Why nothing can be done; null if it can. */
  refusal: string | null;
  /** What puts them among the other responses. */
  takeBack: { label: string; isRunning: boolean; run(ids: readonly number[]): void };
  deleteLabel: string;
}

/** What can be done with the selected responses. */
export function ChosenActions({ chosen, refusal, takeBack, deleteLabel }: ChosenActionsProps) {
  const { ids, askToDelete } = chosen;
  return (
    <>
      <Button
        size="sm"
        disabledReason={refusal}
        isRunning={takeBack.isRunning}
        onClick={() => takeBack.run(ids)}
      >
        {takeBack.label}
      </Button>
      <Button size="sm" look="danger" disabledReason={refusal} onClick={() => askToDelete(ids)}>
        {deleteLabel}
      </Button>
    </>
  );
}

interface DeleteForGoodProps {
  chosen: Pick<Chosen<'all'>, 'doomed' | 'closeQuestion'>;
  /** How many responses are to be deleted. */
  amount: number;
  /** Whether their number has to be typed. */
  isTyped?: boolean;
  isRunning: boolean;
  onConfirm(): void;
}

/** The question before anything is deleted. */
export function DeleteForGood({ chosen, amount, isTyped = false, isRunning, onConfirm }: DeleteForGoodProps) {
  return (
    <ConfirmDialog
      isOpen={chosen.doomed !== null}
      onClose={chosen.closeQuestion}
      title={`Delete ${formatCount(amount, 'response')} for good?`}
      action="Delete for good"
      {...(isTyped && { typed: String(amount) })}
      isRunning={isRunning}
      onConfirm={onConfirm}
    >
      <p>The answers and their files are deleted for everybody. This cannot be taken back.</p>
    </ConfirmDialog>
  );
}
