import { Link } from '@tanstack/react-router';
import { BookOpen, KeyRound, LogOut, ShieldCheck, UserRound } from 'lucide-react';
import { setTheme, type Theme, useTheme } from '../lib/theme.ts';
import { useUser } from '../lib/workspace.ts';
import { IconButton } from '../ui/button.tsx';
import { Menu, MenuChoice, MenuItem, MenuLabel, MenuSeparator } from '../ui/menu.tsx';

const THEMES: readonly (readonly [Theme, string])[] = [
  ['system', 'As the system'],
  ['light', 'Light'],
  ['dark', 'Dark'],
];

export function UserMenu({ onSignOut }: { onSignOut(): void }) {
  const user = useUser();
  const theme = useTheme();
  return (
    <Menu
      className="w-60"
      trigger={
        <IconButton label={`Account of ${user.name}`}>
          <span className="grid size-7 place-items-center rounded-full bg-accent-soft text-xs font-semibold text-accent-strong uppercase">
            {[...user.name.trim()][0]}
          </span>
        </IconButton>
      }
    >
      <div className="grid px-2 py-1.5">
        <bdi className="truncate font-medium">{user.name}</bdi>
        <span className="truncate text-xs text-muted">{user.email}</span>
      </div>
      <MenuSeparator />
      <MenuItem asChild>
        <Link to="/account">
          <UserRound /> Account
        </Link>
      </MenuItem>
      <MenuItem asChild>
        <Link to="/account/security">
          <ShieldCheck /> Security
        </Link>
      </MenuItem>
      <MenuItem asChild>
        <Link to="/account/tokens">
          <KeyRound /> Access tokens
        </Link>
      </MenuItem>
      <MenuItem asChild>
        <a href="/api" target="_blank" rel="noreferrer">
          <BookOpen /> API reference
        </a>
      </MenuItem>
      <MenuSeparator />
      <MenuLabel>Theme</MenuLabel>
      <MenuChoice value={theme} onChange={setTheme} options={THEMES} />
      <MenuSeparator />
      <MenuItem icon={<LogOut />} onSelect={onSignOut}>
        Sign out
      </MenuItem>
    </Menu>
  );
}
