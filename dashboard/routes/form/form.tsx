import { useQuery } from '@tanstack/react-query';
import { Link, Navigate, Outlet, useMatchRoute, useParams } from '@tanstack/react-router';
import { ChevronRight, ExternalLink } from 'lucide-react';
import { ApiError } from '../../api/client.ts';
import { type Form, formQuery } from '../../api/queries.ts';
import { readSavedDraft } from '../../form-builder/saving/draft.ts';
import { isAnythingUnsaved } from '../../lib/unsaved.ts';
import { TrashNotice } from '../../settings/trash-notice.tsx';
import { useLeaveForm } from '../../settings/use-leave-form.ts';
import { Badge } from '../../ui/badge.tsx';
import { buttonClasses } from '../../ui/button.tsx';
import { Load } from '../../ui/load.tsx';
import { Page } from '../../ui/page.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { TAB_CLASSES, TabBar } from '../../ui/tabs.tsx';
import { FormMenu } from '../forms/menu.tsx';
import { FormStatus } from '../forms/status.tsx';

const FORM = '/workspaces/$workspaceId/forms/$formId';
/** The tabs of a form, with all addresses below them. */
const SCREENS = [
  { name: 'Overview', to: FORM },
  { name: 'Build', to: `${FORM}/build` },
  { name: 'Responses', to: `${FORM}/responses` },
  { name: 'Analytics', to: `${FORM}/analytics` },
  { name: 'Share', to: `${FORM}/share` },
  { name: 'Integrations', to: `${FORM}/integrations` },
  { name: 'Settings', to: `${FORM}/settings` },
] as const;

/** The frame of a form's screens: title, status, tabs. */
export function FormFrame() {
  const { workspaceId, formId } = useParams({ from: '/app/workspaces/$workspaceId/forms/$formId' });
  const form = useQuery(formQuery(formId));
  // The form was deleted or access to it was withdrawn: cached data is no longer valid.
  const isGone =
    form.error instanceof ApiError && [403, 404].includes(form.error.status) && !isAnythingUnsaved();
  // The builder has three columns and takes the full width.
  const matches = useMatchRoute();
  const isBuilding = matches({ to: `${FORM}/build` }) !== false;
  const screen = SCREENS.find(({ to }) => matches({ to, fuzzy: to !== FORM }) !== false);
  return (
    <Load
      query={isGone ? { ...form, data: undefined } : form}
      skeleton={<FrameSkeleton />}
      level={1}
      wayOut={
        isGone && (
          <Link to="/workspaces/$workspaceId/forms" params={{ workspaceId }} className={buttonClasses()}>
            Go to the forms
          </Link>
        )
      }
    >
      {(loaded) => (
        <Page
          // What was begun with one form, or can be undone, would go on with the next one otherwise.
          key={loaded.id}
          title={[screen?.name, loaded.title].filter(Boolean).join(' · ')}
          width={isBuilding ? 'full' : 'normal'}
          heading={
            <span className="flex flex-wrap items-center gap-x-2 gap-y-1 max-sm:text-lg">
              <span className="flex items-center gap-x-2 max-sm:-mb-1 max-sm:basis-full max-sm:text-sm">
                <Link
                  to="/workspaces/$workspaceId/forms"
                  params={{ workspaceId }}
                  className="font-normal text-muted hover:text-ink"
                >
                  Forms
                </Link>
                <ChevronRight aria-hidden="true" className="size-4 text-muted rtl:rotate-180" />
              </span>
              {/* On phones the badge stays beside it: it grows up to its text, from a width that leaves room. */}
              <bdi
                title={loaded.title}
                className="line-clamp-2 min-w-0 break-words max-sm:max-w-max max-sm:flex-[1_1_8rem] sm:line-clamp-3"
              >
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
              <MenuHere form={loaded} />
            </>
          }
        >
          {(loaded.workspace_id !== Number(workspaceId) || String(loaded.id) !== formId) && (
            // The form has moved to another workspace, and so has its address; or the address has the slug of the form, not its number.
            <Navigate
              to="."
              params={(former) => ({
                ...former,
                workspaceId: String(loaded.workspace_id),
                formId: String(loaded.id),
              })}
              search
              replace
            />
          )}
          <TrashNotice form={loaded} />
          <TabBar label="Form" className="mb-4 sm:mb-6">
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

/** The actions on the form, of which some leave its screens. */
function MenuHere({ form }: { form: Form }) {
  const leave = useLeaveForm(form);
  return <FormMenu form={form} onDeleted={() => leave()} />;
}

/** Says that there are unpublished changes; the builder says so itself. */
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
    <div className="w-full max-w-6xl px-4 py-4 sm:px-8 sm:py-8">
      <Skeleton className="mb-6 h-7 w-72" />
      <Skeleton className="mb-6 h-9" />
      <Skeleton className="h-48 rounded-xl" />
    </div>
  );
}
