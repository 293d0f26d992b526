import { useSuspenseQuery } from '@tanstack/react-query';
import { ShieldCheck } from 'lucide-react';
import { charges } from '../../../fields/payment.ts';
import { type Form, formQuery } from '../../api/queries.ts';
import { formatCount, formatNumber } from '../../lib/format.ts';
import { useRefusal } from '../../lib/workspace.ts';
import { Button } from '../../ui/button.tsx';
import { Load } from '../../ui/load.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { inputsOf } from '../table/columns.ts';
import { ApartHead, ChosenActions, DeleteForGood, useChosen } from './apart.tsx';
import { useDeleteForGood } from './delete-for-good.ts';
import { useRelease, useSetAside } from './set-aside.ts';
import { SetAsideLink } from './set-aside-link.tsx';
import { SetAsideList } from './set-aside-list.tsx';
import { WAITING, WAITING_KINDS, type WaitingKind } from './waiting-kinds.ts';

interface WaitingScreenProps {
  kind: WaitingKind;
  workspaceId: string;
  formId: string;
}

/** What waits apart from the responses of a form: to put among them, or to delete. */
export function WaitingScreen({ kind, workspaceId, formId }: WaitingScreenProps) {
  const words = WAITING[kind];
  const path = { workspaceId, formId };
  const { data: form } = useSuspenseQuery(formQuery(formId));
  const refusal = useRefusal('user');
  const list = useSetAside(formId, kind);
  const rows = list.data?.pages.flatMap((page) => page.rows) ?? [];
  const total = list.data?.pages[0]?.total ?? 0;
  const chosen = useChosen(rows);
  const { selection, ids, doomed } = chosen;
  const release = useRelease(formId, selection.drop);
  const remove = useDeleteForGood(formId, (gone) => {
    selection.drop(gone);
    chosen.closeQuestion();
  });
  const areAllChosen = rows.length > 0 && ids.length === rows.length;
  const isBusy = release.isRunning || remove.isRunning;
  const notNow = refusal ?? (isBusy ? 'One moment …' : null);
  return (
    <div>
      <div className="mb-4 flex">
        <ApartHead formPath={path} title={words.title}>
          <p className="max-w-prose text-muted">{words.text}</p>
          <p className="text-muted empty:hidden">
            {WAITING_KINDS.filter((other) => other !== kind).map((other) => (
              <SetAsideLink key={other} formPath={path} kind={other} />
            ))}
          </p>
          {total >= words.most && <p className="max-w-prose text-warn">{words.fullText}</p>}
        </ApartHead>
      </div>
      {rows.length > 0 && (
        <div className="mb-2 flex min-h-9 flex-wrap items-center gap-x-3 gap-y-2">
          <label className="flex items-center gap-2 ps-4">
            <input
              type="checkbox"
              className="size-4 accent-accent"
              checked={areAllChosen}
              onChange={() => selection.set(rows, !areAllChosen)}
            />
            Select all shown
          </label>
          <p className="text-muted" aria-live="polite">
            {ids.length > 0 ? `${formatNumber(ids.length)} selected` : formatCount(total, 'response')}
          </p>
          {ids.length > 0 && (
            <ChosenActions
              chosen={chosen}
              refusal={notNow}
              takeBack={{ label: words.releaseMany, isRunning: release.isRunning, run: release.run }}
              deleteLabel="Delete them"
            />
          )}
        </div>
      )}
      <Load query={list} skeleton={<Skeleton className="h-40 w-full" />}>
        {() =>
          rows.length === 0 ? (
            <EmptyState icon={<ShieldCheck />} title={words.emptyTitle}>
              {words.emptyText[isAsked(form, kind) ? 0 : 1]}
            </EmptyState>
          ) : (
            <>
              <SetAsideList
                form={form}
                rows={rows}
                selection={selection}
                refusal={notNow}
                releaseLabel={words.release}
                onRelease={(id) => release.run([id])}
                onDelete={(id) => chosen.askToDelete([id])}
              />
              {list.hasNextPage && (
                <p className="mt-4 text-center">
                  <Button isRunning={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
                    Show more
                  </Button>
                </p>
              )}
            </>
          )
        }
      </Load>
      <DeleteForGood
        chosen={chosen}
        amount={doomed?.length ?? 0}
        isRunning={remove.isRunning}
        onConfirm={() => remove.run(doomed ?? [])}
      />
    </div>
  );
}

/** Whether the form lets anything wait for this reason. */
function isAsked({ settings, properties }: Form, kind: WaitingKind): boolean {
  switch (kind) {
    case 'spam':
      return settings.sets_spam_aside === true;
    case 'unconfirmed':
      return Boolean(settings.confirms_email);
    case 'unpaid':
    case 'paid':
      return inputsOf(properties).some(charges);
  }
}
