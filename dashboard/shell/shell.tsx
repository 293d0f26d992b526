import { Outlet, useBlocker, useRouterState } from '@tanstack/react-router';
import { Menu as MenuIcon, Search } from 'lucide-react';
import { Dialog } from 'radix-ui';
import { useEffect, useState } from 'react';
import { isAnythingUnsaved } from '../lib/unsaved.ts';
import { closeTopmost, useBackCloses } from '../lib/use-back-closes.ts';
import { useDialogFocus } from '../lib/use-dialog-focus.ts';
import { useHotkeys } from '../lib/use-hotkeys.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { CommandPalette } from './command-palette.tsx';
import { Sidebar } from './sidebar.tsx';
import { useKeptFocus } from './use-kept-focus.ts';
import { useSignOutSafely } from './use-sign-out.tsx';
import { UserMenu } from './user-menu.tsx';

/** Back and Forward; a link in a dialog leads where it says. */
const closesDialog = ({ action }: { action: string }) =>
  action !== 'PUSH' && action !== 'REPLACE' && closeTopmost();

/** The frame of all screens: the sidebar, on phones a drawer, and the top bar. */
export function Shell() {
  const [isDrawerOpen, setDrawerOpen] = useState(false);
  const [isPaletteOpen, setPaletteOpen] = useState(false);
  const path = useRouterState({ select: ({ location }) => location.pathname });
  // biome-ignore lint/correctness/useExhaustiveDependencies: whoever chose a screen wants to see it
  useEffect(() => setDrawerOpen(false), [path]);
  const { signOut, question } = useSignOutSafely();
  const drawerFocus = useDialogFocus({ toInput: false });
  useKeptFocus();
  useBackCloses(isDrawerOpen, () => setDrawerOpen(false));
  useBlocker({ shouldBlockFn: closesDialog, enableBeforeUnload: isAnythingUnsaved });
  useHotkeys({ 'mod+k': () => setPaletteOpen((isOpen) => !isOpen) });
  return (
    <div className="flex min-h-dvh print:block">
      <a
        href="#content"
        className="sr-only focus:not-sr-only focus:fixed focus:inset-s-3 focus:top-3 focus:z-80 focus:rounded-lg focus:bg-raised focus:px-3 focus:py-2"
      >
        Skip to the content
      </a>
      <aside
        data-stays
        className="sticky top-0 hidden h-dvh w-60 shrink-0 border-e border-line bg-sunken md:block print:hidden"
      >
        <Sidebar />
      </aside>
      <div className="flex min-w-0 flex-1 flex-col print:block">
        <header
          data-stays
          className="sticky top-0 z-30 flex h-13 items-center gap-2 border-b border-line bg-canvas/90 px-3 backdrop-blur sm:px-4 print:hidden"
        >
          <IconButton label="Open the menu" className="md:hidden" onClick={() => setDrawerOpen(true)}>
            <MenuIcon className="size-5" />
          </IconButton>
          <div className="flex-1" />
          <Button
            icon={<Search className="size-4 text-muted" />}
            className="min-w-0 shrink! text-muted sm:w-56 sm:justify-start"
            onClick={() => setPaletteOpen(true)}
          >
            <span className="truncate sm:flex-1 sm:text-start">Go to …</span>
            <kbd className="hidden font-sans text-xs sm:inline">
              {/Mac/.test(navigator.platform) ? '⌘' : 'Ctrl'} K
            </kbd>
          </Button>
          <UserMenu onSignOut={signOut} />
        </header>
        <main id="content" tabIndex={-1} className="@container/screen flex-1 outline-none">
          <Outlet />
        </main>
      </div>
      <Dialog.Root open={isDrawerOpen} onOpenChange={setDrawerOpen}>
        <Dialog.Portal>
          <Dialog.Overlay className="animate-appear fixed inset-0 z-40 bg-black/40 md:hidden" />
          <Dialog.Content
            aria-describedby={undefined}
            {...drawerFocus}
            className="animate-slide-in fixed inset-y-0 inset-s-0 z-50 w-72 max-w-[85vw] border-e border-line bg-sunken md:hidden"
          >
            <Dialog.Title className="sr-only">Menu</Dialog.Title>
            <Sidebar />
          </Dialog.Content>
        </Dialog.Portal>
      </Dialog.Root>
      <CommandPalette isOpen={isPaletteOpen} onClose={() => setPaletteOpen(false)} onSignOut={signOut} />
      {question}
    </div>
  );
}
