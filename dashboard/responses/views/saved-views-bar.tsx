import { Link, useNavigate } from '@tanstack/react-router';
import { Ellipsis, Link2, Pencil, Trash2 } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { api } from '../../api/client.ts';
import { useAction } from '../../api/use-action.ts';
import { classes } from '../../lib/classes.ts';
import { useCurrentInView } from '../../lib/use-current-in-view.ts';
import { useRefusal } from '../../lib/workspace.ts';
import { IconButton } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { copyText } from '../../ui/copy-button.tsx';
import { Menu, MenuItem, MenuSeparator } from '../../ui/menu.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { NameView } from './name-view.tsx';
import { type SavedView, savedViewsQuery } from './saved-views.ts';
import type { Shown } from './use-shown.ts';

const PILL =
  'inline-flex h-8 max-w-64 shrink-0 items-center gap-1.5 rounded-full border px-3 transition-colors ' +
  // Inside, because a scrolling row cuts off what is outside.
  'focus-visible:-outline-offset-2';

interface SavedViewsBarProps {
  formPath: { workspaceId: string; formId: string };
  shown: Shown;
  /** Whether the open view has unsaved changes. */
  isChanged: boolean;
}

/** The saved views of the form, each a link; without any there is nothing. */
export function SavedViewsBar({ formPath, shown, isChanged }: SavedViewsBarProps) {
  const { views, view } = shown;
  const row = useCurrentInView<HTMLElement>('[aria-current]');
  if (views.length === 0) return null;
  return (
    <div className="mb-3 flex items-center gap-1 print:hidden">
      <nav
        ref={row}
        aria-label="Saved views"
        data-saved-views
        className="scrolls-on relative flex min-w-0 gap-1.5 overflow-x-auto"
      >
        <ViewLink formPath={formPath} isCurrent={!view}>
          All responses
        </ViewLink>
        {views.map((one) => (
          <ViewLink key={one.id} formPath={formPath} view={one} isCurrent={one === view}>
            <bdi className="truncate" title={one.name}>
              {one.name}
            </bdi>
            {one === view && isChanged && (
              <>
                <span aria-hidden="true" className="drawn size-1.5 shrink-0 rounded-full bg-accent" />
                <span className="sr-only">, with unsaved changes</span>
              </>
            )}
          </ViewLink>
        ))}
      </nav>
      {view && <ViewMenu key={view.id} formPath={formPath} view={view} />}
    </div>
  );
}

/** Leads the focus to the open view, when the button that had it is gone. */
export function focusOpenView(): void {
  requestAnimationFrame(() =>
    document.querySelector<HTMLElement>('[data-saved-views] [aria-current]')?.focus(),
  );
}

interface ViewLinkProps {
  formPath: SavedViewsBarProps['formPath'];
  view?: SavedView;
  isCurrent: boolean;
  children: ReactNode;
}

function ViewLink({ formPath, view, isCurrent, children }: ViewLinkProps) {
  return (
    <Link
      to="/workspaces/$workspaceId/forms/$formId/responses"
      params={formPath}
      search={view ? { view: view.id } : {}}
      // What is open is told by `isCurrent`, also with a filter or a response beside it.
      activeOptions={{ exact: true }}
      preload={false}
      aria-current={isCurrent ? 'page' : undefined}
      className={classes(
        PILL,
        isCurrent
          ? 'border-accent bg-accent-soft font-medium text-accent-strong'
          : 'border-line bg-surface text-muted hover:bg-hover hover:text-ink',
      )}
    >
      {children}
    </Link>
  );
}

function ViewMenu({ formPath, view }: Pick<SavedViewsBarProps, 'formPath'> & { view: SavedView }) {
  const { workspaceId, formId } = formPath;
  const navigate = useNavigate({ from: '/workspaces/$workspaceId/forms/$formId/responses' });
  const refusal = useRefusal('user');
  const [asked, setAsked] = useState<'name' | 'deletion' | null>(null);
  const path = { form: formId, viewId: String(view.id) };
  const refresh = [savedViewsQuery(formId).queryKey];
  const rename = useAction(
    (name: string) => api.put('/open/forms/{form}/saved-views/{viewId}', { path, body: { name } }),
    { refresh, onDone: () => setAsked(null) },
  );
  const remove = useAction(() => api.delete('/open/forms/{form}/saved-views/{viewId}', { path }), {
    refresh,
    refreshesAnyway: true,
    toast: `${view.name} was deleted.`,
    leadsTo: () => navigate({ to: '.', search: {}, replace: true }),
  });
  const copyLink = async () => {
    const link = `/workspaces/${workspaceId}/forms/${formId}/responses?view=${view.id}`;
    if (await copyText(new URL(link, window.location.origin).href))
      showToast({ text: 'The link was copied.' });
  };
  return (
    <>
      <Menu
        trigger={
          <IconButton size="sm" label={`Options of ${view.name}`}>
            <Ellipsis className="size-4" />
          </IconButton>
        }
      >
        <MenuItem icon={<Link2 />} onSelect={() => void copyLink()}>
          Copy link
        </MenuItem>
        <MenuItem icon={<Pencil />} disabledReason={refusal} onSelect={() => setAsked('name')}>
          Rename
        </MenuItem>
        <MenuSeparator />
        <MenuItem
          icon={<Trash2 />}
          isDangerous
          disabledReason={refusal}
          onSelect={() => setAsked('deletion')}
        >
          Delete
        </MenuItem>
      </Menu>
      {asked === 'name' && (
        <NameView
          title="Rename the view"
          action="Rename"
          name={view.name}
          save={rename}
          onClose={() => setAsked(null)}
        />
      )}
      <ConfirmDialog
        isOpen={asked === 'deletion'}
        onClose={() => setAsked(null)}
        title={`Delete the view ${view.name}?`}
        action="Delete view"
        isRunning={remove.isRunning}
        onConfirm={() => remove.run()}
      >
        <p>
          It is deleted for everybody, and links to it show all completed responses. No response is deleted.
        </p>
      </ConfirmDialog>
    </>
  );
}
