import { useQuery } from '@tanstack/react-query';
import { Link, Navigate, Outlet, useMatchRoute, useNavigate, useParams } from '@tanstack/react-router';
import { ChevronRight, ExternalLink } from 'lucide-react';
import { ApiError } from '../api/client.ts';
import { type Form, formQuery } from '../api/queries.ts';
import { readSavedDraft } from '../form-builder/draft.ts';
import { isAnythingUnsaved } from '../lib/unsaved.ts';
import { Badge } from '../ui/badge.tsx';
import { buttonClasses } from '../ui/button.tsx';
import { Load } from '../ui/load.tsx';
import { Page } from '../ui/page.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { TAB_CLASSES, TabBar } from '../ui/tabs.tsx';
import { FormMenu } from './forms-menu.tsx';
import { FormStatus } from './forms-status.tsx';

/** What the screens of a form have in common: its title, its state, its tabs. */
export function FormFrame() {
  const { workspaceId, formId } = useParams({ from: '/app/workspaces/$workspaceId/forms/$formId' });
  const navigate = useNavigate();
  const form = useQuery(formQuery(formId));
  // Deleted meanwhile, or closed to this person: what was read before is true no more.
  const isGone =
    form.error instanceof ApiError && [403, 404].includes(form.error.status) && !isAnythingUnsaved();
  // The builder has three columns, and wants all there is.
  const isBuilding = useMatchRoute()({ to: '/workspaces/$workspaceId/forms/$formId/build' }) !== false;
  return (
    <Load query={isGone ? { ...form, data: undefined } : form} skeleton={<FrameSkeleton />}>
      {(loaded) => (
        <Page
          title={loaded.title}
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
          <TabBar label="Form" className="mb-6">
            <Link
              to="/workspaces/$workspaceId/forms/$formId"
              params={{ workspaceId, formId }}
              activeOptions={{ exact: true }}
              className={TAB_CLASSES}
            >
              Overview
            </Link>
            <Link
              to="/workspaces/$workspaceId/forms/$formId/build"
              params={{ workspaceId, formId }}
              className={TAB_CLASSES}
            >
              Build
            </Link>
            <Link
              to="/workspaces/$workspaceId/forms/$formId/responses"
              params={{ workspaceId, formId }}
              className={TAB_CLASSES}
            >
              Responses
            </Link>
            <Link
              to="/workspaces/$workspaceId/forms/$formId/analytics"
              params={{ workspaceId, formId }}
              className={TAB_CLASSES}
            >
              Analytics
            </Link>
            <Link
              to="/workspaces/$workspaceId/forms/$formId/share"
              params={{ workspaceId, formId }}
              className={TAB_CLASSES}
            >
              Share
            </Link>
            <Link
              to="/workspaces/$workspaceId/forms/$formId/integrations"
              params={{ workspaceId, formId }}
              className={TAB_CLASSES}
            >
              Integrations
            </Link>
            <Link
              to="/workspaces/$workspaceId/forms/$formId/settings"
              params={{ workspaceId, formId }}
              className={TAB_CLASSES}
            >
              Settings
            </Link>
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
