import { useQuery } from '@tanstack/react-query';
import { Link, Navigate, Outlet, useMatchRoute, useNavigate, useParams } from '@tanstack/react-router';
import { ChevronRight, ExternalLink } from 'lucide-react';
import { ApiError } from '../api/client.ts';
import { type Form, formQuery } from '../api/queries.ts';
import { readSavedDraft } from '../form-builder/draft.ts';
import { isAnythingUnsaved } from '../lib/unsaved.ts';
import { TrashNotice } from '../settings/trash-notice.tsx';
import { Badge } from '../ui/badge.tsx';
import { buttonClasses } from '../ui/button.tsx';
import { Load } from '../ui/load.tsx';
import { Page } from '../ui/page.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { TAB_CLASSES, TabBar } from '../ui/tabs.tsx';
import { FormMenu } from './forms-menu.tsx';
import { FormStatus } from './forms-status.tsx';

const FORM = '/workspaces/$workspaceId/forms/$formId';
/** Its tabs, with all that lies below them. */
const SCREENS = [
  { name: 'Overview', to: FORM },
  { name: 'Build', to: `${FORM}/build` },
  { name: 'Responses', to: `${FORM}/responses` },
  { name: 'Analytics', to: `${FORM}/analytics` },
  { name: 'Share', to: `${FORM}/share` },
  { name: 'Integrations', to: `${FORM}/integrations` },
  { name: 'Settings', to: `${FORM}/settings` },
] as const;

/** What the screens of a form have in common: its title, its state, its tabs. */
export function FormFrame() {
  const { workspaceId, formId } = useParams({ from: '/app/workspaces/$workspaceId/forms/$formId' });
  const navigate = useNavigate();
  const form = useQuery(formQuery(formId));
  // Deleted meanwhile, or closed to this person: what was read before is true no more.
  const isGone =
    form.error instanceof ApiError && [403, 404].includes(form.error.status) && !isAnythingUnsaved();
  // The builder has three columns, and wants all there is.
  const matches = useMatchRoute();
  const isBuilding = matches({ to: `${FORM}/build` }) !== false;
  const screen = SCREENS.find(({ to }) => matches({ to, fuzzy: to !== FORM }) !== false);
  return (
    <Load query={isGone ? { ...form, data: undefined } : form} skeleton={<FrameSkeleton />} level={1}>
      {(loaded) => (
        <Page
          title={[screen?.name, loaded.title].filter(Boolean).join(' · ')}
          width={isBuilding ? 'full' : 'normal'}
          heading={
            <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
              <Link
                to="/workspaces/$workspaceId/forms"
                params={{ workspaceId }}
                className="font-normal text-muted hover:text-ink"
              >
                Forms
              </Link>
              <ChevronRight aria-hidden="true" className="size-4 text-muted rtl:rotate-180" />
              <bdi title={loaded.title} className="line-clamp-3 min-w-0 break-words">
                {loaded.title}
              </bdi>
              <FormStatus form={loaded} />
              {loaded.visibility !== 'draft' && !isBuilding && <DraftStatus form={loaded} />}
            </span>
          }
          actions={
            <>
              {loaded.visibility !== 'draft' && (
                <a
                  href={loaded.share_url}
                  target="_blank"
                  rel="noreferrer"
                  title="View form"
                  className={buttonClasses()}
                >
                  <ExternalLink aria-hidden="true" className="size-4" />
                  <span className="max-sm:sr-only">View form</span>
                </a>
              )}
              <FormMenu
                form={loaded}
                onDeleted={() =>
                  void navigate({ to: '/workspaces/$workspaceId/forms', params: { workspaceId } })
                }
              />
            </>
          }
        >
          {loaded.workspace_id !== Number(workspaceId) && (
            // It was moved: its address goes along.
            <Navigate
              to="."
              params={(former) => ({ ...former, workspaceId: String(loaded.workspace_id) })}
              search
              replace
            />
          )}
          <TrashNotice form={loaded} />
          <TabBar label="Form" className="mb-6">
            {SCREENS.map(({ name, to }) => (
              <Link
                key={name}
                to={to}
                params={{ workspaceId, formId }}
                activeOptions={{ exact: to === FORM }}
                className={TAB_CLASSES}
              >
                {name}
              </Link>
            ))}
          </TabBar>
          <Outlet />
        </Page>
      )}
    </Load>
  );
}

/** Says that something waits in the builder; there it says so itself. */
function DraftStatus({ form }: { form: Form }) {
  const draft = useQuery({
    queryKey: [...formQuery(form.id).queryKey, 'has-changes'],
    queryFn: async ({ signal }) =>
      Object.keys((await readSavedDraft(form.id, signal))?.definition ?? {}).length > 0,
    staleTime: 0,
    gcTime: 0,
  });
  return draft.data && <Badge tone="accent">Unpublished changes</Badge>;
}

function FrameSkeleton() {
  return (
    <div className="mx-auto w-full max-w-6xl px-4 py-6 sm:px-8 sm:py-8">
      <Skeleton className="mb-6 h-7 w-72" />
      <Skeleton className="mb-6 h-9" />
      <Skeleton className="h-48 rounded-xl" />
    </div>
  );
}
