import { useSuspenseQuery } from '@tanstack/react-query';
import { Link, type LinkProps, useParams } from '@tanstack/react-router';
import { ChartColumn, Code, FileText, History, Settings, UserSearch, Users } from 'lucide-react';
import type { ReactNode } from 'react';
import { workspacesQuery } from '../api/queries.ts';
import { isAtLeast, usualWorkspace } from '../lib/workspace.ts';
import { WorkspaceSwitcher } from './workspace-switcher.tsx';

export function Sidebar() {
  const { data: workspaces } = useSuspenseQuery(workspacesQuery);
  const { workspaceId } = useParams({ strict: false });
  // Outside workspaces, as in the account, the usual one stays available.
  const current = workspaces.find(({ id }) => id === Number(workspaceId)) ?? usualWorkspace(workspaces);
  const params = { workspaceId: String(current?.id) };
  return (
    <div className="flex h-full flex-col gap-4 p-3">
      <WorkspaceSwitcher workspaces={workspaces} current={current} />
      {current && (
        <nav aria-label="Workspace" className="grid gap-0.5">
          <Place to="/workspaces/$workspaceId/overview" params={params} icon={<ChartColumn />}>
            Overview
          </Place>
          <Place to="/workspaces/$workspaceId/forms" params={params} icon={<FileText />}>
            Forms
          </Place>
          <Place to="/workspaces/$workspaceId/members" params={params} icon={<Users />}>
            Members
          </Place>
          <Place to="/workspaces/$workspaceId/audit-log" params={params} icon={<History />}>
            Audit log
          </Place>
          {isAtLeast(current.role, 'admin') && (
            <Place to="/workspaces/$workspaceId/personal-data" params={params} icon={<UserSearch />}>
              Personal data
            </Place>
          )}
          <Place to="/workspaces/$workspaceId/api" params={params} icon={<Code />}>
            API
          </Place>
          <Place to="/workspaces/$workspaceId/settings" params={params} icon={<Settings />}>
            Settings
          </Place>
        </nav>
      )}
    </div>
  );
}

function Place({
  icon,
  children,
  ...link
}: { icon: ReactNode; children: ReactNode } & Pick<LinkProps, 'to' | 'params'>) {
  return (
    <Link
      {...link}
      className="flex h-9 items-center gap-2.5 rounded-lg px-2.5 text-muted transition-colors hover:bg-hover hover:text-ink data-[status=active]:bg-hover data-[status=active]:font-medium data-[status=active]:text-ink [&_svg]:size-4"
    >
      {icon}
      {children}
    </Link>
  );
}
