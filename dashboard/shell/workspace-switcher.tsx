import { Link } from '@tanstack/react-router';
import { Check, ChevronsUpDown, LayoutGrid } from 'lucide-react';
import type { Workspace } from '../api/queries.ts';
import { Menu, MenuItem, MenuLabel, MenuSeparator } from '../ui/menu.tsx';
import { UserText } from '../ui/user-text.tsx';
import { WorkspaceIcon } from './workspace-icon.tsx';

/** Most workspaces listed; all are on their own screen. */
const MOST = 12;

export function WorkspaceSwitcher({
  workspaces,
  current,
}: {
  workspaces: Workspace[];
  current: Workspace | undefined;
}) {
  return (
    <Menu
      align="start"
      className="w-64"
      trigger={
        <button
          type="button"
          className="flex h-11 w-full items-center gap-2.5 rounded-lg px-2 text-start hover:bg-hover data-[state=open]:bg-hover"
        >
          <WorkspaceIcon workspace={current} />
          <span className="sr-only">Workspace:</span>
          <UserText text={current?.name ?? 'No workspace'} className="flex-1 font-medium" />
          <ChevronsUpDown aria-hidden="true" className="size-4 text-muted" />
        </button>
      }
    >
      <MenuLabel>Workspaces</MenuLabel>
      {workspaces.slice(0, MOST).map((workspace) => (
        <MenuItem key={workspace.id} asChild>
          <Link to="/workspaces/$workspaceId/forms" params={{ workspaceId: String(workspace.id) }}>
            <WorkspaceIcon workspace={workspace} />
            <UserText text={workspace.name} className="flex-1" />
            {workspace.id === current?.id && <Check aria-label="current" />}
          </Link>
        </MenuItem>
      ))}
      <MenuSeparator />
      <MenuItem asChild>
        <Link to="/workspaces">
          <LayoutGrid /> All workspaces, or a new one
        </Link>
      </MenuItem>
    </Menu>
  );
}
