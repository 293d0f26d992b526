import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { renamedOptionsIn } from '../../../fields/choices/renamed-options.ts';
import { knownBlocks } from '../../../fields/former-answers/known-blocks.ts';
import { ApiError, api } from '../../api/client.ts';
import type { Form } from '../../api/queries.ts';
import { useAction } from '../../api/use-action.ts';
import { useHasLeft } from '../../lib/use-has-left.ts';
import { renameInAnswers } from '../../responses/rename-option.ts';
import { showToast } from '../../ui/toasts.tsx';
import type { Definition } from '../definition.ts';
import { type Autosave, NOT_SAVED } from '../saving/use-autosave.ts';

const NOT_PUBLISHED =
  'Not published: the same was changed by another way. Publish once more to choose which goes on.';
/** Names of members for people, where they are not the members' own. */
const NAMES: Record<string, string> = { properties: 'fields', submit_button_text: 'button' };

/** Members that both this draft and somebody else changed, differently. */
export interface Collision {
  /** The form as it is now. */
  form: Form;
  /** The version to publish over; later changes are asked about again. */
  version: number;
  /** Names of these members for people. */
  names: string[];
  /** It was changed again while the question was open. */
  isAnother: boolean;
}

interface Publishing {
  form: Form;
  definition: Definition;
  autosave: Autosave;
  /** The draft is in conflict, which is resolved outside the dialog. */
  onConflict(): void;
  onPublished(form: Form): void;
}

/** Publishes the draft once it is saved, then renames in past answers the options that were renamed, if that is wanted. */
export function usePublishing({ form, definition, autosave, onConflict, onPublished }: Publishing) {
  const client = useQueryClient();
  const [collision, setCollision] = useState<Collision | null>(null);
  const renamed = renamedOptionsIn(knownBlocks(form), definition.properties);
  const [renamesPast, setRenamesPast] = useState(false);
  const hasLeft = useHasLeft();
  const publish = useAction(
    async (over: Collision | null) => {
      const { state, problem } = await autosave.prove();
      if (state === 'conflict') {
        onConflict();
        return null;
      }
      if (state !== 'saved') throw new Error(problem || NOT_SAVED);
      const done = await putOnline(form, over, (found) => {
        setCollision(found);
        // Somebody who has gone to another screen meanwhile must not believe it was published.
        if (hasLeft()) showToast({ text: NOT_PUBLISHED, tone: 'bad' });
      });
      if (done && renamesPast) await renameInAnswers(client, form.id, renamed);
      return done;
    },
    { onDone: (done) => done && onPublished(done) },
  );
  return { publish, collision, renamed, renamesPast, setRenamesPast };
}

/**
 * Publishes the draft. Others' changes to other members stay; in a collision `onCollision` is called and nothing is published.
 * @param over the collision that the user decided to overwrite
 */
async function putOnline(
  { id: formId, visibility }: Form,
  over: Collision | null,
  onCollision: (collision: Collision) => void,
): Promise<Form | null> {
  const path = { form: formId };
  // Not part of the draft, where it would stay if the form cannot be published now.
  const opening = visibility === 'draft' && ({ visibility: 'public' } as const);
  const body = { ...opening, ...(over && { force: true, version: over.version }) };
  try {
    return (await api.post('/open/forms/{form}/draft/publish', { path, body })).form;
  } catch (error) {
    const { changed, version } = error instanceof ApiError ? error.members : {};
    // Another 409 without a choice: the form was moved or trashed meanwhile.
    if (!Array.isArray(changed)) throw error;
    const names = changed.map((name) => NAMES[String(name)] ?? String(name));
    const form = await api.get('/open/forms/{form}', { path });
    onCollision({ form, version: Number(version), names, isAnother: over !== null });
    return null;
  }
}
