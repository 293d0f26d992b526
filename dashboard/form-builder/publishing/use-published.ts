import { useQueryClient } from '@tanstack/react-query';
import { useDeferredValue, useMemo, useState } from 'react';
import { type Form, formQuery } from '../../api/queries.ts';
import { type Definition, withoutOthers } from '../definition.ts';
import type { Edit } from '../edits.ts';
import { changesOf, definitionOf, draftQuery, isSameDefinition, type Latest } from '../saving/draft.ts';
import type { Autosave } from '../saving/use-autosave.ts';

/** A form as it is published, and what of it is built here. */
export interface Published {
  form: Form;
  definition: Definition;
}

/** What is being built. */
interface Building {
  now: Definition;
  edit(edit: Edit): void;
  autosave: Autosave;
}

interface Taking {
  /** What was made of the service's version. */
  shown?: Definition;
  /** See `Autosave.settle`. */
  yielded?: readonly Definition[];
}

/** What is published of a form, and how what is being built becomes that, or something else. */
export function usePublished(form: Form, { now, edit, autosave }: Building) {
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
  return {
    published,
    hasChanges,

    /** After publishing: shows what is published now. */
    settle(next: Form): void {
      // Changes made here were published, so they stay with their undo steps. Others may have changed the rest meanwhile.
      const built = withoutOthers(now);
      if (built !== now) edit({ do: 'publish-others', definition: built });
      const online = { ...definitionOf(next, null), ...changesOf(built, published.definition) };
      const definition = isSameDefinition(online, built) ? built : online;
      if (definition !== built) edit({ do: 'become', definition });
      autosave.settle(definition, { form: next, draft: null });
      setPublished({ form: next, definition });
      void client.invalidateQueries({ queryKey: ['workspaces', next.workspace_id, 'forms'] });
      forgetDraft();
    },

    /** Shows the service's version, or what was made of it and the one here, as one undo step or as a new start. */
    takeOver(latest: Latest, how: 'become' | 'replace', { shown, yielded }: Taking = {}): void {
      const definition = definitionOf(latest.form, latest.draft);
      edit({ do: how, definition: shown ?? definition });
      autosave.settle(definition, latest, yielded);
      showPublished(latest.form);
      if (!latest.draft) forgetDraft();
    },

    /** Keeps what is being built although something else was published. */
    keepBeside: showPublished,
  };
}

function publishedOf(form: Form): Published {
  return { form, definition: definitionOf(form, null) };
}
