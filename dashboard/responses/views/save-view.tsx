import { useNavigate } from '@tanstack/react-router';
import { Bookmark } from 'lucide-react';
import { useRef, useState } from 'react';
import { api } from '../../api/client.ts';
import { useAction } from '../../api/use-action.ts';
import { isSame } from '../../lib/is-same.ts';
import { useRefusal } from '../../lib/workspace.ts';
import { Button } from '../../ui/button.tsx';
import type { Columns } from '../table/use-columns.ts';
import { NameView } from './name-view.tsx';
import { definitionOf, savedViewsQuery } from './saved-views.ts';
import { focusOpenView } from './saved-views-bar.tsx';
import { isUnsaved, type Shown } from './use-shown.ts';

interface SaveViewProps {
  formId: string;
  shown: Shown;
  columns: Columns;
  /** Called when the screen shows the view as it is saved again. */
  onSaved(): void;
}

/** Saves what the screen shows: as a new view, or as changes to the open one. Nothing where it shows what is saved, or the usual. */
export function SaveView({ formId, shown, columns, onSaved }: SaveViewProps) {
  const { view, filter } = shown;
  const refusal = useRefusal('user');
  const navigate = useNavigate({ from: '/workspaces/$workspaceId/forms/$formId/responses' });
  const [isNaming, setNaming] = useState(false);
  const definition = definitionOf(filter, columns.names);
  const now = useRef({ id: view?.id, sent: definition });
  now.current = { id: view?.id, sent: definition };
  const refresh = [savedViewsQuery(formId).queryKey];
  const show = (id: number) => {
    columns.discard();
    onSaved();
    void navigate({ to: '.', search: { view: id }, replace: true });
    focusOpenView();
  };
  const replace = useAction(
    ({ id, sent }: { id: number; sent: typeof definition }) =>
      api.put('/open/forms/{form}/saved-views/{viewId}', {
        path: { form: formId, viewId: String(id) },
        body: { definition: sent },
      }),
    {
      refresh,
      refreshesAnyway: true,
      toast: (saved) => `${saved.view.name} is saved for everybody.`,
      // Whoever has changed it further meanwhile goes on there.
      leadsTo: (_, saved) => isSame(now.current, saved) && show(saved.id),
    },
  );
  const create = useAction(
    (name: string) =>
      api.post('/open/forms/{form}/saved-views', { path: { form: formId }, body: { name, definition } }),
    {
      refresh,
      leadsTo: (saved) => show(saved.view.id),
      onDone: () => setNaming(false),
    },
  );
  const isChanged = isUnsaved(shown, columns);
  const isOutdated = view !== undefined && view.left_out.length > 0;
  const isUsual = !view && columns.names === null && isSame(filter, {});
  if ((view ? !isChanged && !isOutdated : isUsual) && !isNaming) return null;
  return (
    <div className="flex flex-wrap gap-2">
      {view ? (
        <>
          {isChanged && (
            <>
              <Button size="sm" look="quiet" onClick={() => show(view.id)}>
                Discard changes
              </Button>
              <Button size="sm" disabledReason={refusal} onClick={() => setNaming(true)}>
                Save as new
              </Button>
            </>
          )}
          <Button
            size="sm"
            disabledReason={refusal}
            isRunning={replace.isRunning}
            onClick={() => replace.run({ id: view.id, sent: definition })}
          >
            {isChanged ? 'Save changes' : 'Save without them'}
          </Button>
        </>
      ) : (
        <Button
          size="sm"
          look="quiet"
          icon={<Bookmark className="size-3.5" />}
          disabledReason={refusal}
          onClick={() => setNaming(true)}
        >
          Save view
        </Button>
      )}
      {isNaming && (
        <NameView
          title="Save this view"
          description="Filters, search, order and columns as they are now, for everybody who may read the responses."
          action="Save view"
          save={create}
          onClose={() => setNaming(false)}
        />
      )}
    </div>
  );
}
