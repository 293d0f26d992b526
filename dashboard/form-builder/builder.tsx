import { useNavigate } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useCallback, useDeferredValue, useMemo, useReducer, useRef, useState } from 'react';
import { canonicalTypeName, holdsFiles } from '../../fields/type-names.ts';
import type { Form } from '../api/queries.ts';
import { asFields } from '../calculations/fields.ts';
import { classes } from '../lib/classes.ts';
import { isAtLeast, useRefusal, useUser, useWorkspace } from '../lib/workspace.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Notice } from '../ui/states.tsx';
import { showToast } from '../ui/toasts.tsx';
import { sayAnew } from './announcements.ts';
import { elementOf, focusName } from './block-actions.ts';
import { BlockList } from './block-list.tsx';
import { openOptions } from './block-settings.tsx';
import { BuilderContext, type Builder as BuilderTools } from './builder-context.ts';
import { Conflict, Discard } from './conflict.tsx';
import { definitionOf, type FormDraft } from './draft.ts';
import { DragArea } from './drag-area.tsx';
import { applyEdit, startBuilding } from './edits.ts';
import { FormEnd } from './form-end.tsx';
import { FormHead } from './form-head.tsx';
import { type Kind, newBlock } from './kinds.ts';
import { Palette } from './palette.tsx';
import { Preview } from './preview.tsx';
import { PublishDialog } from './publish-dialog.tsx';
import { Toolbar } from './toolbar.tsx';
import { useAutosave } from './use-autosave.ts';
import { useCollapsed } from './use-collapsed.ts';
import { useOwnToasts } from './use-own-toasts.ts';
import { useProblems } from './use-problems.ts';
import { usePublishLink } from './use-publish-link.ts';
import { usePublished } from './use-published.ts';
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
  const mayAddCode = isAtLeast(useWorkspace().role, 'admin');
  const user = useUser();
  const [state, edit] = useReducer(applyEdit, null, () => startBuilding(definitionOf(form, draft)));
  const [view, setView] = useState<'build' | 'preview'>('build');
  const isWide = useIsWide();
  const [asked, setAsked] = useState<Asked>(null);
  const [said, announce] = useReducer(sayAnew, '');
  const [collapsed, pages] = useCollapsed(form.id);
  const { now, selected } = state;
  const autosave = useAutosave(now, { form, draft }, roleRefusal !== null);
  const { published, hasChanges, settle, takeOver, keepBeside } = usePublished(form, { now, edit, autosave });
  const deferred = useDeferredValue(now);
  const { computed_variables: calculations } = form;
  const problems = useProblems(form, deferred, refusal === null);
  const showOwnToast = useOwnToasts();
  const blocks = useRef(now.properties);
  blocks.current = now.properties;
  const tools = useMemo<BuilderTools>(
    () => ({
      edit,
      calculations: asFields(calculations),
      blocks: () => blocks.current,
      pages,
      announce,
      showToast: showOwnToast,
      refusal,
      mayAddCode,
      holdsFiles: (id) =>
        published.definition.properties.some(
          (block) => block.id === id && holdsFiles(canonicalTypeName(block.type)),
        ),
      hasAnswers: published.form.visibility !== 'draft',
    }),
    [calculations, pages, showOwnToast, refusal, mayAddCode, published],
  );

  const addAt = useCallback(
    (kind: Kind, at: number) => {
      if (refusal) return;
      if (kind.type === 'nf-code' && !mayAddCode)
        return showToast({ text: 'Only admins of the workspace can add code.', tone: 'bad' });
      const block = newBlock(kind);
      openOptions();
      edit({ do: 'add', blocks: [block], at });
      announce(`${kind.label} was added.`);
      setAsked(null);
      focusName(block.id);
    },
    [refusal, mayAddCode],
  );
  const addNext = useCallback(
    (kind: Kind) => {
      const at = blocks.current.findIndex(({ id }) => id === selected);
      addAt(kind, at < 0 ? blocks.current.length : at + 1);
    },
    [addAt, selected],
  );
  const steps = useSteps(state, edit, announce, refusal !== null);
  usePublishLink(refusal !== null, setAsked);
  const navigate = useNavigate({ from: '/workspaces/$workspaceId/forms/$formId/build' });

  const show = (id: string) => {
    setAsked(null);
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
    setAsked(null);
    showToast({ text: 'The form is published.', link: { name: 'View form', href: next.share_url } });
  };
  const savedBefore =
    draft?.saved_by && draft.saved_by.id !== user.id && state.past.length === 0
      ? { by: draft.saved_by.name, at: draft.saved_at }
      : null;

  return (
    <BuilderContext value={tools}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: leaving any field ends the step that undo takes back */}
      <div
        className="grid gap-4 xl:grid-cols-[11.5rem_minmax(0,1fr)_minmax(20rem,26rem)] 2xl:grid-cols-[13rem_minmax(0,1fr)_minmax(24rem,34rem)]"
        onBlur={() => edit({ do: 'settle' })}
      >
        <div className="sticky top-13 z-20 col-span-full -mx-2 bg-canvas/95 px-2 py-2 backdrop-blur">
          <Toolbar
            canUndo={state.past.length > 0}
            canRedo={state.future.length > 0}
            onUndo={steps.undo}
            onRedo={steps.redo}
            autosave={autosave}
            hasChanges={hasChanges}
            isUnpublished={form.visibility === 'draft'}
            refusal={refusal}
            onPublish={() => setAsked('publish')}
            onDiscard={() => setAsked('discard')}
            onHistory={() => void navigate({ to: 'history' })}
            savedBefore={savedBefore}
          />
          {autosave.state === 'conflict' && (
            <div className="mt-2">
              <Conflict
                form={published.form}
                definition={now}
                autosave={autosave}
                onBoth={(latest, both) => takeOver(latest, 'replace', both)}
                onTake={(latest) => takeOver(latest, 'replace')}
                onKeep={keepBeside}
              />
            </div>
          )}
          <ViewSwitch view={view} onChange={setView} />
        </div>
        {/* The columns at the sides end at the page's padding; otherwise its end would push them up. */}
        <DragArea blocks={now.properties} onAdd={addAt}>
          <aside aria-label="Fields to add" className="hidden xl:block">
            <div className="sticky top-28 max-h-[calc(100dvh-9rem)] overflow-y-auto pe-1 pb-4">
              <Palette onAdd={addNext} refusal={refusal} />
            </div>
          </aside>
          <div className={classes('min-w-0', view === 'preview' && 'hidden xl:block')}>
            <FormHead definition={now} />
            <BlockList
              blocks={now.properties}
              selected={selected}
              collapsed={collapsed}
              problems={problems}
              isOff={refusal !== null}
            />
            <Button
              className="mt-3 w-full xl:hidden"
              icon={<Plus className="size-4" />}
              disabledReason={refusal}
              onClick={() => setAsked('palette')}
            >
              Add a field
            </Button>
            <FormEnd />
          </div>
        </DragArea>
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
      <Dialog isOpen={asked === 'palette'} onClose={() => setAsked(null)} title="Add a field">
        <Palette onAdd={addNext} refusal={refusal} isDraggable={false} />
      </Dialog>
      <PublishDialog
        form={form}
        definition={now}
        problems={problems}
        autosave={autosave}
        isOpen={asked === 'publish'}
        onClose={() => setAsked(null)}
        onPublished={onPublished}
        onShow={show}
        onDiscard={() => setAsked('discard')}
      />
      <Discard
        formId={form.id}
        autosave={autosave}
        isOpen={asked === 'discard'}
        onClose={() => setAsked(null)}
        onDone={(latest) => {
          takeOver({ form: latest, draft: null }, 'become');
          setAsked(null);
          showOwnToast({ text: 'The changes were discarded.', undo: () => edit({ do: 'undo' }) });
        }}
      />
    </BuilderContext>
  );
}
