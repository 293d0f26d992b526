import { useQueryClient } from '@tanstack/react-query';
import { useDeferredValue, useMemo, useState } from 'react';
import { type Form, formQuery } from '../../api/queries.ts';
import { type Definition, withoutOthers } from '../definition.ts';
import type { Edit, UndoSteps } from '../edits.ts';
import {
  changesOf,
  definitionOf,
  draftQuery,
  goingOnFrom,
  isSameDefinition,
  type Latest,
} from '../saving/draft.ts';
import type { Autosave } from '../saving/use-autosave.ts';

/** A form as it is published, and what of it is built here. */
export interface Published {
  form: Form;
  definition: Definition;
}

/** What is being built. */
interface Building {
  steps: UndoSteps;
  edit(edit: Edit): void;
  autosave: Autosave;
}

/** What is published of a form, and how what is being built becomes that, or something else. */
export function usePublished(form: Form, { steps, edit, autosave }: Building) {
  const { now } = steps;
  const client = useQueryClient();
  const [published, setPublished] = useState(() => publishedOf(form));
  const deferred = useDeferredValue(now);
  const hasChanges = useMemo(() => !isSameDefinition(deferred, published.definition), [deferred, published]);

  const forgetDraft = () => {
    // Without data for the draft the screen would start anew and lose its undo steps.
    client.setQueryData(draftQuery(form.id).queryKey, null);
    void client.invalidateQueries({ queryKey: formQuery(form.id).queryKey });
  };
  const showPublished = (next: Form) => {
    setPublished(publishedOf(next));
    // Whether the form is closed by now decides what publishing asks.
    client.setQueryData(formQuery(form.id).queryKey, next);
  };
  /** See `Autosave.settle`. */
  const goOnFrom = (latest: Latest, taken: Definition, yielded: readonly Definition[] = []) => {
    autosave.settle(taken, latest, yielded);
    showPublished(latest.form);
    if (!latest.draft) forgetDraft();
  };
  return {
    published,
    hasChanges,

    /** After publishing: shows what is published now. */
    settle(next: Form): void {
      // Changes made here were published, so they stay with their undo steps. Others may have changed the rest meanwhile.
      const rest = changed(steps, withoutOthers);
      const built = rest.now;
      // No step brings back as a change what is published.
      if (built !== now) edit({ do: 'replace-steps', steps: rest });
      const online = { ...definitionOf(next, null), ...changesOf(built, published.definition) };
      const definition = isSameDefinition(online, built) ? built : online;
      if (definition !== built) edit({ do: 'become', definition });
      autosave.settle(definition, { form: next, draft: null });
      setPublished({ form: next, definition });
      void client.invalidateQueries({ queryKey: ['workspaces', next.workspace_id, 'forms'] });
      forgetDraft();
    },

    /** Shows the service's version, as one undo step: going back saves over it, and the history keeps it. */
    takeOver(latest: Latest): void {
      const before = changed(steps, goingOnFrom(latest));
      const past = [...before.past, before.now];
      const taken = definitionIn(latest);
      edit({ do: 'replace-steps', steps: { past, now: taken, future: [] } });
      goOnFrom(latest, taken, past);
    },

    /** Saves what is built here over the service's version, which the history keeps. */
    keepMine(latest: Latest): void {
      const mine = changed(steps, goingOnFrom(latest));
      edit({ do: 'replace-steps', steps: mine });
      goOnFrom(latest, definitionIn(latest), [mine.now]);
    },

    /** Shows what was made of the service's version and the one here, as a new start. */
    keepBoth(latest: Latest, both: Definition): void {
      edit({ do: 'replace', definition: both });
      goOnFrom(latest, definitionIn(latest));
    },
  };
}

function definitionIn({ form, draft }: Latest): Definition {
  return definitionOf(form, draft);
}

function changed({ past, now, future }: UndoSteps, change: (one: Definition) => Definition): UndoSteps {
  return { past: past.map(change), now: change(now), future: future.map(change) };
}

function publishedOf(form: Form): Published {
  return { form, definition: definitionOf(form, null) };
}
