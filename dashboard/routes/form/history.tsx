import { useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { RotateCcw } from 'lucide-react';
import { api } from '../../api/client.ts';
import { type Form, formQuery } from '../../api/queries.ts';
import { useAction } from '../../api/use-action.ts';
import { BesideBuilder } from '../../form-builder/beside-builder.tsx';
import { Preview } from '../../form-builder/preview/preview.tsx';
import { Changes, useIsLikeNow } from '../../history/changes.tsx';
import { definitionOf, type Version, versionQuery, versionsQuery } from '../../history/queries.ts';
import { classes } from '../../lib/classes.ts';
import { formatMoment } from '../../lib/format.ts';
import { memberName } from '../../lib/member-names.ts';
import { useRefusal, useWorkspace } from '../../lib/workspace.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Load } from '../../ui/load.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { EmptyState, Notice } from '../../ui/states.tsx';
import { showToast } from '../../ui/toasts.tsx';

const HERE = '/app/workspaces/$workspaceId/forms/$formId/build/history';
/** The form's published versions, to view and to restore. */
export function FormHistory() {
  const { formId } = useParams({ from: HERE });
  const { data: form } = useSuspenseQuery(formQuery(formId));
  const versions = useQuery(versionsQuery(formId));
  return (
    <BesideBuilder title="Versions">
      <Load query={versions} skeleton={<Skeleton className="h-96 rounded-xl" />}>
        {(all) => <Versions form={form} versions={all} />}
      </Load>
    </BesideBuilder>
  );
}

function Versions({ form, versions }: { form: Form; versions: Version[] }) {
  const wanted = useSearch({ from: HERE }).version;
  const at = Math.max(
    0,
    versions.findIndex(({ version }) => version === wanted),
  );
  const shown = versions[at];
  if (!shown)
    return (
      <EmptyState title="No versions yet">
        From the next change on it is kept here what the form is and was.
      </EmptyState>
    );
  return (
    <div className="grid grid-cols-1 gap-5 lg:grid-cols-[18rem_minmax(0,1fr)]">
      <nav
        aria-label="Versions"
        className="max-h-64 self-start overflow-y-auto rounded-xl border border-line bg-surface p-1.5 lg:max-h-[calc(100dvh-14rem)]"
      >
        <ol className="grid gap-0.5">
          {versions.map((version, index) => (
            <li key={version.version}>
              <Entry version={version} isShown={index === at} isNow={index === 0} />
            </li>
          ))}
        </ol>
      </nav>
      <Shown
        form={form}
        version={shown}
        before={versions[at + 1] ?? null}
        now={versions[0]?.version ?? shown.version}
      />
    </div>
  );
}

function Entry({ version, isShown, isNow }: { version: Version; isShown: boolean; isNow: boolean }) {
  return (
    <Link
      from="/workspaces/$workspaceId/forms/$formId/build/history"
      to="."
      search={{ version: version.version }}
      replace
      resetScroll={false}
      aria-current={isShown ? 'true' : undefined}
      className={classes('grid gap-0.5 rounded-lg px-3 py-2', isShown ? 'bg-hover' : 'hover:bg-hover')}
    >
      <span className="flex flex-wrap items-center gap-x-2">
        <span className="font-medium">Version {version.version}</span>
        {isNow && <Badge tone="good">Now</Badge>}
        {version.of_draft && <Badge>Not published</Badge>}
      </span>
      <span>{formatMoment(version.saved_at)}</span>
      <span className="text-muted wrap-anywhere">{summaryOf(version)}</span>
    </Link>
  );
}

/** Author and changes in one line. */
function summaryOf({ saved_by: by, changed, restored_from: from }: Version): string {
  const names = changed.map(memberName);
  const rest = names.length - 2;
  const what =
    from !== null
      ? `version ${from} again`
      : `${names.slice(0, 2).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
  return [by?.name, what || (by ? 'first version' : 'as it was then')].filter(Boolean).join(': ');
}

interface ShownProps {
  form: Form;
  version: Version;
  /** The version before it; null if it is not kept. */
  before: Version | null;
  /** Number of the present version. */
  now: number;
}

function Shown({ form, version: { version, saved_at, saved_by, of_draft }, before, now }: ShownProps) {
  const { formId } = useParams({ from: HERE });
  const refusal = useRefusal('user');
  const whole = useQuery(versionQuery(formId, version));
  const restore = useRestore(formId);
  const isLikeNow = useIsLikeNow(formId, now, version);
  const likeNow = version === now ? 'This is what the form is now.' : 'The form is like that now.';
  return (
    <section aria-label={`Version ${version}`} className="grid min-w-0 grid-cols-1 content-start gap-4">
      <div className="flex flex-wrap items-start justify-between gap-3">
        <div className="grid min-w-0 flex-1 basis-60 gap-1">
          <h3 className="font-semibold">Version {version}</h3>
          <p className="text-muted">
            {formatMoment(saved_at)}
            {saved_by && (
              <>
                {' '}
                by <bdi>{saved_by.name}</bdi>
              </>
            )}
            {of_draft && ' · Never published: other changes were saved in place of these.'}
          </p>
        </div>
        <Button
          icon={<RotateCcw className="size-4" />}
          disabledReason={refusal ?? (version === now || isLikeNow ? likeNow : null)}
          isRunning={restore.isRunning}
          onClick={() => restore.run({ version, over: now })}
        >
          Bring back
        </Button>
      </div>
      <Load query={whole} skeleton={<Skeleton className="h-96 rounded-xl" />}>
        {(found) => (
          <>
            <div className="grid gap-4 xl:grid-cols-2">
              {before && (
                <Changes title="What it changed" formId={formId} before={before.version} after={version} />
              )}
              {version !== now && (
                <Changes
                  title="What bringing it back changes"
                  formId={formId}
                  before={now}
                  after={version}
                  isBroughtBack
                />
              )}
            </div>
            {refusal ? (
              <Notice>Those who may change the form see here how it looked.</Notice>
            ) : (
              <div className="h-[calc(100dvh-18rem)] min-h-120">
                <Preview key={version} formId={form.id} definition={definitionOf(found)} />
              </div>
            )}
          </>
        )}
      </Load>
    </section>
  );
}

interface Restoring {
  version: number;
  /** The newest version when the user decided; if there is a newer one, the user is asked again. */
  over: number;
}

/** Publishes a former version at once, and shows the result. */
function useRestore(formId: string) {
  const client = useQueryClient();
  const navigate = useNavigate({ from: '/workspaces/$workspaceId/forms/$formId/build/history' });
  const post = ({ version, over }: Restoring) => {
    const path = { form: formId, version: String(version) };
    const restoring = api.post('/open/forms/{form}/versions/{version}/restore', { path, query: { over } });
    // Also after a refusal, when there may be a newer version to view.
    return restoring.finally(() => client.invalidateQueries({ queryKey: versionsQuery(formId).queryKey }));
  };
  const refresh = [
    ['forms', formId],
    ['workspaces', Number(useWorkspace().id), 'forms'],
  ];
  const undo = useAction(post, { refresh, toast: 'The form is what it was before.' });
  return useAction(post, {
    refresh,
    leadsTo: () => navigate({ search: {}, replace: true, resetScroll: false }),
    onDone({ version: newest }, { version, over }) {
      const text = `Published: the form is what it was as version ${version}.`;
      if (newest === null || newest === over) showToast({ text });
      else showToast({ text, undo: () => undo.run({ version: over, over: newest }) });
    },
  });
}
