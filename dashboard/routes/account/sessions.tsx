import { useQuery } from '@tanstack/react-query';
import { Monitor, Smartphone } from 'lucide-react';
import { api } from '../../api/client.ts';
import { type Session, sessionsQuery } from '../../api/queries.ts';
import { useAction } from '../../api/use-action.ts';
import { formatDistance, formatMoment } from '../../lib/format.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Load } from '../../ui/load.tsx';
import { Card } from '../../ui/page.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';

/** The user's sessions. */
export function Sessions() {
  const sessions = useQuery(sessionsQuery);
  const endOthers = useAction(() => api.delete('/settings/sessions'), {
    refresh: [sessionsQuery.queryKey],
    refreshesAnyway: true,
    toast: 'All other sessions have ended.',
  });
  const hasOthers = (sessions.data?.length ?? 0) > 1;
  return (
    <Card
      title="Sessions"
      description="The browsers you are signed in with."
      actions={
        hasOthers && (
          <Button isRunning={endOthers.isRunning} onClick={() => endOthers.run()}>
            End all others
          </Button>
        )
      }
    >
      <Load query={sessions} skeleton={<Skeleton className="h-12" />}>
        {(rows) => (
          <ul className="-mb-3 divide-y divide-line">
            {rows.map((session) => (
              <SessionRow key={session.id} session={session} />
            ))}
          </ul>
        )}
      </Load>
    </Card>
  );
}

function SessionRow({ session }: { session: Session }) {
  const agent = session.user_agent ?? '';
  const end = useAction(
    () => api.delete('/settings/sessions/{sessionId}', { path: { sessionId: session.id } }),
    { refresh: [sessionsQuery.queryKey], refreshesAnyway: true, toast: 'The session has ended.' },
  );
  const Icon = /Mobile|Android|iPhone/.test(agent) ? Smartphone : Monitor;
  return (
    <li className="flex items-center gap-3 py-3">
      <Icon aria-hidden="true" className="size-5 shrink-0 text-muted" />
      <div className="grid min-w-0 flex-1 grid-cols-1">
        <span className="flex items-center gap-2 @max-3xs/screen:flex-wrap">
          <span className="truncate font-medium" title={agent}>
            {browserName(agent)}
          </span>
          {session.is_current && <Badge tone="accent">This one</Badge>}
        </span>
        <span className="truncate text-muted" title={formatMoment(session.last_used_at)}>
          {[session.network, `used ${formatDistance(session.last_used_at)}`].filter(Boolean).join(' · ')}
        </span>
      </div>
      {!session.is_current && (
        <Button size="sm" isRunning={end.isRunning} onClick={() => end.run()}>
          End
        </Button>
      )}
    </li>
  );
}

/** `Firefox on Linux`: enough to recognise one's own session. */
function browserName(agent: string): string {
  const browsers: [RegExp, string][] = [
    [/Edg\//, 'Edge'],
    [/OPR\//, 'Opera'],
    [/Firefox\//, 'Firefox'],
    [/Chrome\//, 'Chrome'],
    [/Safari\//, 'Safari'],
  ];
  const systems: [RegExp, string][] = [
    [/Android/, 'Android'],
    [/iPhone|iPad/, 'iOS'],
    [/Windows/, 'Windows'],
    [/Mac OS X/, 'macOS'],
    [/Linux/, 'Linux'],
  ];
  const find = (names: [RegExp, string][]) => names.find(([pattern]) => pattern.test(agent))?.[1];
  return [find(browsers) ?? 'A program', find(systems)].filter(Boolean).join(' on ');
}
