import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { Dialog } from 'radix-ui';
import { type KeyboardEvent, useId, useState } from 'react';
import { formsQuery, workspacesQuery } from '../api/queries.ts';
import { classes } from '../lib/classes.ts';
import { setTheme } from '../lib/theme.ts';
import { useBackCloses } from '../lib/use-back-closes.ts';
import { useDebounced } from '../lib/use-debounced.ts';
import { useDialogFocus } from '../lib/use-dialog-focus.ts';
import { isAtLeast, usualWorkspace } from '../lib/workspace.ts';
import { UserText } from '../ui/user-text.tsx';

interface Command {
  /** Unique key, if two commands have the same name. */
  key?: string;
  name: string;
  /** Group, shown at the end of the row. */
  group: string;
  act(): unknown;
}

interface PaletteProps {
  isOpen: boolean;
  onClose(): void;
  onSignOut(): void;
}

/** Shown without results, depending on the progress of the search for forms. */
const NOTHING = {
  done: 'Nothing with this name.',
  'under way': 'Looking for it …',
  failed: 'No place of this name. Forms cannot be looked for now.',
};

/** Ctrl or Cmd K: finds every screen and form by name. */
export function CommandPalette({ isOpen, onClose, onSignOut }: PaletteProps) {
  const focus = useDialogFocus({ toInput: true });
  useBackCloses(isOpen, onClose);
  return (
    <Dialog.Root open={isOpen} onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Overlay className="animate-appear fixed inset-0 z-40 bg-black/40" />
        <Dialog.Content
          aria-describedby={undefined}
          {...focus}
          className="animate-appear fixed inset-x-3 top-[10vh] z-50 mx-auto overflow-hidden rounded-xl border border-line bg-raised shadow-xl sm:max-w-lg"
        >
          <Dialog.Title className="sr-only">Go to</Dialog.Title>
          <Palette onClose={onClose} onSignOut={onSignOut} />
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function Palette({ onClose, onSignOut }: Omit<PaletteProps, 'isOpen'>) {
  const id = useId();
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState(0);
  const { commands, searching } = useCommands(text, onSignOut);
  const current = Math.min(chosen, commands.length - 1);
  const run = (command: Command | undefined) => {
    if (!command) return;
    onClose();
    command.act();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === 'Enter' && !event.nativeEvent.isComposing) run(commands[current]);
    else if (step && commands.length > 0) setChosen((current + step + commands.length) % commands.length);
    else return;
    event.preventDefault();
  };
  return (
    <>
      <input
        role="combobox"
        aria-label="Search places and forms"
        aria-expanded="true"
        aria-controls={`${id}-list`}
        aria-activedescendant={commands.length > 0 ? `${id}-${current}` : undefined}
        dir="auto"
        placeholder="Search places and forms"
        className="h-12 w-full border-b border-line bg-transparent px-4 outline-none"
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setChosen(0);
        }}
        onKeyDown={onKeyDown}
      />
      <div id={`${id}-list`} role="listbox" aria-label="Results" className="max-h-80 overflow-y-auto p-1.5">
        {commands.map((command, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are the input's
          <div
            key={`${command.group} ${command.key ?? command.name}`}
            id={`${id}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === current}
            ref={index === current ? intoView : undefined}
            className={classes(
              'flex h-9 cursor-pointer items-center gap-3 rounded-lg px-2.5',
              index === current && 'bg-hover',
            )}
            onPointerMove={() => setChosen(index)}
            onClick={() => run(command)}
          >
            <UserText text={command.name} className="flex-1" />
            <UserText text={command.group} className="max-w-40 text-xs text-muted" />
          </div>
        ))}
      </div>
      <p role="status" className={commands.length === 0 ? 'px-4 pt-2 pb-5 text-muted' : 'sr-only'}>
        {commands.length === 0 ? NOTHING[searching] : ''}
      </p>
    </>
  );
}

function useCommands(
  text: string,
  onSignOut: () => void,
): { commands: Command[]; searching: keyof typeof NOTHING } {
  const navigate = useNavigate();
  const { data: workspaces } = useSuspenseQuery(workspacesQuery);
  const { workspaceId } = useParams({ strict: false });
  const current = workspaces.find(({ id }) => id === Number(workspaceId)) ?? usualWorkspace(workspaces);
  const search = useDebounced(text.trim());
  const found = useQuery({
    ...formsQuery(current?.id ?? 0, search ? { search } : {}),
    enabled: current !== undefined,
  });
  const isCurrent = search === text.trim() && !found.isFetching;
  const params = { workspaceId: String(current?.id) };
  const here = current?.name ?? '';
  const places: Command[] = [
    ...(current
      ? [
          {
            name: 'Overview',
            group: here,
            act: () => navigate({ to: '/workspaces/$workspaceId/overview', params }),
          },
          {
            name: 'Forms',
            group: here,
            act: () => navigate({ to: '/workspaces/$workspaceId/forms', params }),
          },
          {
            name: 'Members',
            group: here,
            act: () => navigate({ to: '/workspaces/$workspaceId/members', params }),
          },
          {
            name: 'Audit log',
            group: here,
            act: () => navigate({ to: '/workspaces/$workspaceId/audit-log', params }),
          },
          ...(isAtLeast(current.role, 'admin')
            ? [
                {
                  name: 'Personal data',
                  group: here,
                  act: () => navigate({ to: '/workspaces/$workspaceId/personal-data', params }),
                },
              ]
            : []),
          {
            name: 'API',
            group: here,
            act: () => navigate({ to: '/workspaces/$workspaceId/api', params }),
          },
          {
            name: 'Workspace settings',
            group: here,
            act: () => navigate({ to: '/workspaces/$workspaceId/settings', params }),
          },
        ]
      : []),
    { name: 'Account', group: 'You', act: () => navigate({ to: '/account' }) },
    { name: 'Security', group: 'You', act: () => navigate({ to: '/account/security' }) },
    { name: 'Access tokens', group: 'You', act: () => navigate({ to: '/account/tokens' }) },
    ...workspaces.map(({ id, name }) => ({
      key: String(id),
      name,
      group: 'Workspace',
      act: () => navigate({ to: '/workspaces/$workspaceId/forms', params: { workspaceId: String(id) } }),
    })),
    { name: 'Light theme', group: 'Theme', act: () => setTheme('light') },
    { name: 'Dark theme', group: 'Theme', act: () => setTheme('dark') },
    { name: 'Theme of the system', group: 'Theme', act: () => setTheme('system') },
    { name: 'Sign out', group: 'You', act: onSignOut },
  ];
  const words = text.trim().toLowerCase();
  // Forms are filtered too, because results of the previous search are shown until the next ones have loaded.
  const fits = ({ name }: Command) => name.toLowerCase().includes(words);
  const ofForms = (found.data?.data ?? []).map(({ id, title }) => ({
    key: String(id),
    name: title,
    group: 'Form',
    act: () =>
      navigate({ to: '/workspaces/$workspaceId/forms/$formId', params: { ...params, formId: String(id) } }),
  }));
  return {
    commands: [...places, ...ofForms].filter(fits),
    searching: current && !isCurrent ? 'under way' : found.isError ? 'failed' : 'done',
  };
}

function intoView(element: HTMLElement | null): void {
  element?.scrollIntoView({ block: 'nearest' });
}
