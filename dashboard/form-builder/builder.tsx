import { useNavigate } from '@tanstack/react-router';
import { useCallback, useDeferredValue, useReducer, useState } from 'react';
import type { Form } from '../api/queries.ts';
import { classes } from '../lib/classes.ts';
import { A_ROLE, useRefusal, useUser, useWorkspace } from '../lib/workspace.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Notice } from '../ui/states.tsx';
import { showToast } from '../ui/toasts.tsx';
import { sayAnew } from './blocks/announcements.ts';
import { elementOf } from './blocks/block-actions.ts';
import { Palette } from './blocks/palette.tsx';
import { useAdding } from './blocks/use-adding.ts';
import { BuildArea } from './build-area.tsx';
import { BuilderContext, IsPublishing } from './builder-context.ts';
import { applyEdit, startBuilding } from './edits.ts';
import { useCollapsed } from './pages/use-collapsed.ts';
import { Preview } from './preview/preview.tsx';
import { PublishDialog } from './publishing/publish-dialog.tsx';
import { useProblems } from './publishing/use-problems.ts';
import { usePublishLink } from './publishing/use-publish-link.ts';
import { usePublished } from './publishing/use-published.ts';
import { Conflict, Discard } from './saving/conflict.tsx';
import { definitionOf, type FormDraft, type Latest } from './saving/draft.ts';
import { useAutosave } from './saving/use-autosave.ts';
import { Toolbar, type ToolbarProps } from './toolbar.tsx';
import { useBuilderTools } from './use-builder-tools.ts';
import { useSteps } from './use-steps.ts';
import { useIsWide } from './use-wide.ts';
import { ViewSwitch } from './view-switch.tsx';

interface BuilderProps {
  form: Form;
  draft: FormDraft | null;
}

type Asked = 'publish' | 'palette' | 'discard' | null;

/** The builder: what can be added, the form's blocks, and their preview. */
export function Builder({ form, draft }: BuilderProps) {
  const roleRefusal = useRefusal('user');
  const refusal = form.trash_ends_at ? 'The form is in the trash.' : roleRefusal;
  const [state, edit] = useReducer(applyEdit, null, () => startBuilding(definitionOf(form, draft)));
  const [view, setView] = useState<'build' | 'preview'>('build');
  const [asked, setAsked] = useState<Asked>(null);
  const [said, announce] = useReducer(sayAnew, '');
  const [collapsed, pages] = useCollapsed(form.id);
  const isWide = useIsWide();
  const { now, selected } = state;
  const autosave = useAutosave(now, { form, draft }, roleRefusal !== null);
  const { published, hasChanges, settle, takeOver, keepMine, keepBoth } = usePublished(form, {
    steps: state,
    edit,
    autosave,
  });
  const problems = useProblems(form, useDeferredValue(now), refusal === null);
  const tools = useBuilderTools(form, { now, edit, pages, announce, refusal, published });
  const close = useCallback(() => setAsked(null), []);
  const adding = useAdding(tools, selected, close);
  const steps = useSteps(state, tools);
  usePublishLink(refusal !== null, setAsked);
  const navigate = useNavigate({ from: '/workspaces/$workspaceId/forms/$formId/build' });
  const { id: userId } = useUser();

  const show = (id: string) => {
    close();
    setView('build');
    edit({ do: 'select', id });
    pages.reveal(id);
    requestAnimationFrame(() => {
      const handle = elementOf('data-handle', id);
      handle?.focus({ preventScroll: true });
      handle?.scrollIntoView({ block: 'center' });
    });
  };
  const onPublished = (next: Form) => {
    settle(next);
    close();
    showToast({ text: 'The form is published.', link: { name: 'View form', href: next.share_url } });
  };
  const onTaken = (latest: Latest) => {
    takeOver(latest);
    tools.showToast({ text: 'The other changes were taken over.', undo: () => edit({ do: 'undo' }) });
  };
  const onDiscarded = (latest: Form) => {
    takeOver({ form: latest, draft: null });
    close();
    tools.showToast({ text: 'The changes were discarded.', undo: () => edit({ do: 'undo' }) });
  };

  return (
    <BuilderContext value={tools}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: leaving any field ends the step that undo takes back */}
      <div
        className="grid gap-4 xl:grid-cols-[11.5rem_minmax(0,1fr)_minmax(20rem,26rem)] 2xl:grid-cols-[13rem_minmax(0,1fr)_minmax(24rem,34rem)]"
        onBlur={() => edit({ do: 'settle' })}
      >
        <div
          data-upper-bar
          className="sticky top-13 z-20 col-span-full -mx-2 bg-canvas/95 px-2 py-2 backdrop-blur"
        >
          <Toolbar
            steps={steps}
            autosave={autosave}
            hasChanges={hasChanges}
            isUnpublished={form.visibility === 'draft'}
            refusal={refusal}
            onPublish={() => setAsked('publish')}
            onDiscard={() => setAsked('discard')}
            onHistory={() => void navigate({ to: 'history' })}
            onScenarios={() => void navigate({ to: 'scenarios' })}
            savedBefore={steps.canUndo ? null : savedByAnother(draft, userId)}
          />
          {autosave.state === 'conflict' && (
            <div className="mt-2">
              <Conflict
                form={published.form}
                definition={now}
                autosave={autosave}
                onBoth={keepBoth}
                onTake={onTaken}
                onKeep={keepMine}
              />
            </div>
          )}
          <LostRole refusal={roleRefusal} isUnsaved={autosave.state !== 'saved'} />
          <ViewSwitch view={view} onChange={setView} />
        </div>
        <IsPublishing value={asked === 'publish'}>
          <BuildArea
            definition={now}
            selected={selected}
            collapsed={collapsed}
            problems={problems}
            adding={adding}
            isBehindPreview={view === 'preview'}
            onAdd={() => setAsked('palette')}
          />
        </IsPublishing>
        <div className={classes('min-w-0', view === 'build' && 'hidden xl:block')}>
          <div className="sticky top-28 h-[calc(100dvh-9rem)] min-h-96">
            {roleRefusal ? (
              <Notice>Those who may change the form see here how it looks.</Notice>
            ) : (
              <Preview
                formId={form.id}
                definition={now}
                selected={selected}
                isPaused={!isWide && view === 'build'}
              />
            )}
          </div>
        </div>
      </div>
      <p aria-live="polite" className="sr-only">
        {said}
      </p>
      <Dialog isOpen={asked === 'palette'} onClose={close} title="Add a field">
        <Palette onAdd={adding.addNext} refusal={refusal} isDraggable={false} />
      </Dialog>
      <PublishDialog
        form={form}
        definition={now}
        problems={problems}
        autosave={autosave}
        isOpen={asked === 'publish'}
        onClose={close}
        onPublished={onPublished}
        onShow={show}
        onDiscard={() => setAsked('discard')}
      />
      <Discard
        formId={form.id}
        definition={now}
        autosave={autosave}
        isOpen={asked === 'discard'}
        onClose={close}
        onDone={onDiscarded}
      />
    </BuilderContext>
  );
}

/** Says that the role was taken away while the form was open. */
function LostRole({ refusal, isUnsaved }: { refusal: string | null; isUnsaved: boolean }) {
  const { role } = useWorkspace();
  const [before] = useState(refusal);
  return (
    <div role="status">
      {refusal !== null && before === null && (
        <div className="mt-2">
          <Notice tone="warn">
            Your role in this workspace was changed: you are {A_ROLE[role]} now, and cannot change this form
            any more.{isUnsaved && ' Your last changes are not saved.'}
          </Notice>
        </div>
      )}
    </div>
  );
}

/** When and by whom the draft was saved; null if by this user. */
function savedByAnother(draft: FormDraft | null, userId: number): ToolbarProps['savedBefore'] {
  const by = draft?.saved_by;
  return by && by.id !== userId ? { by: by.name, at: draft.saved_at } : null;
}
