import { useQueryClient } from '@tanstack/react-query';
import { CircleAlert, Info, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import type { Property } from '../../fields/property.ts';
import { renamedOptionsIn } from '../../fields/renamed-options.ts';
import { ApiError, api, type Errors } from '../api/client.ts';
import { type Form, formQuery } from '../api/queries.ts';
import { useAction } from '../api/use-action.ts';
import { formatMoment } from '../lib/format.ts';
import { useHasLeft } from '../lib/use-has-left.ts';
import { renameInAnswers } from '../responses/rename-option.ts';
import { Button } from '../ui/button.tsx';
import { Dialog, DialogCancel, HoldDialog } from '../ui/dialog.tsx';
import { DialogActions } from '../ui/dialog-actions.tsx';
import { Notice } from '../ui/states.tsx';
import { showToast } from '../ui/toasts.tsx';
import { isHardToRead, USUAL_COLOR } from './contrast.ts';
import type { Definition } from './edits.ts';
import { PastAnswers } from './past-answers.tsx';
import type { Problem } from './problems.ts';
import { RemovedPastAnswers } from './removed-past-answers.tsx';
import { type Autosave, NOT_SAVED } from './use-autosave.ts';

const NOT_PUBLISHED =
  'Not published: the same was changed by another way. Publish once more to choose which goes on.';

interface PublishProps {
  form: Form;
  definition: Definition;
  problems: readonly Problem[];
  autosave: Autosave;
  isOpen: boolean;
  onClose(): void;
  onPublished(form: Form): void;
  /** Shows the block that a problem is about. */
  onShow(blockId: string): void;
  /** Discards the changes. */
  onDiscard(): void;
}

/** Lists oddities of the form first, then publishes it. */
export function PublishDialog(props: PublishProps) {
  const { isOpen, onClose, form } = props;
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title={form.visibility === 'draft' ? 'Publish this form?' : 'Publish the changes?'}
      size="lg"
    >
      <Publish {...props} />
    </Dialog>
  );
}

function Publish({
  form,
  definition,
  problems,
  autosave,
  onClose,
  onPublished,
  onShow,
  onDiscard,
}: PublishProps) {
  const client = useQueryClient();
  const [collision, setCollision] = useState<Collision | null>(null);
  const renamed = renamedOptionsIn(form.properties as unknown as Property[], definition.properties);
  const [renamesPast, setRenamesPast] = useState(false);
  const hasLeft = useHasLeft();
  const publish = useAction(
    async (over: Collision | null) => {
      const { state, problem } = await autosave.keep(
        form.visibility === 'draft' ? { visibility: 'public' } : {},
      );
      if (state === 'conflict') {
        // The conflict is resolved outside this dialog.
        onClose();
        return null;
      }
      if (state !== 'saved') throw new Error(problem || NOT_SAVED);
      const done = await putOnline(form.id, over, (found) => {
        setCollision(found);
        // Somebody who has gone to another screen meanwhile must not believe it was published.
        if (hasLeft.current) showToast({ text: NOT_PUBLISHED, tone: 'bad' });
      });
      if (done && renamesPast) await renameInAnswers(client, form.id, renamed);
      return done;
    },
    { onDone: (done) => done && onPublished(done) },
  );
  const nameOf = (id: string | null) =>
    definition.properties.find((block) => block.id === id)?.name.trim() || 'A block without a name';
  const blocking = problems.filter(({ isBlocking }) => isBlocking);
  const odd = problems.filter(({ isBlocking }) => !isBlocking);
  const refresh = () => void client.invalidateQueries({ queryKey: formQuery(form.id).queryKey });
  return (
    <div className="grid gap-4">
      {form.visibility === 'draft' && <p>Then everybody with the link can fill it in.</p>}
      {form.visibility === 'closed' && (
        <Notice tone="warn">The form is closed: the changes are published, and it stays closed.</Notice>
      )}
      {blocking.length > 0 && (
        <ProblemList
          title="Fix this first"
          icon={<CircleAlert className="size-4 text-bad" />}
          problems={blocking}
          nameOf={nameOf}
          isOff={publish.isRunning}
          onShow={onShow}
        />
      )}
      {odd.length > 0 && (
        <ProblemList
          title="You may want to look at this"
          icon={<TriangleAlert className="size-4 text-warn" />}
          problems={odd}
          nameOf={nameOf}
          isOff={publish.isRunning}
          onShow={onShow}
        />
      )}
      {form.color !== USUAL_COLOR && isHardToRead(form.color) && (
        <p className="flex gap-2 text-muted">
          <Info aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
          The color of the form is hard to read on some places. There the page uses a darker or lighter one by
          itself.
        </p>
      )}
      {problems.length === 0 && <p className="text-muted">No problems found.</p>}
      {form.submissions_count > 0 && renamed.length > 0 && (
        <PastAnswers renamed={renamed} isOn={renamesPast} onChange={setRenamesPast} />
      )}
      {form.submissions_count > 0 && (
        <RemovedPastAnswers before={form.properties as unknown as Property[]} after={definition.properties} />
      )}
      <Refusals
        errors={publish.errors}
        nameOf={(index) => nameOf(definition.properties[index]?.id ?? null)}
      />
      {collision && (
        <Notice tone="warn">
          <div className="grid gap-2" role="alert">
            <p>
              The form was changed {collision.isAnother && 'once more '}by another way at{' '}
              {formatMoment(collision.form.updated_at)}, after these changes were begun. Both changed its{' '}
              {collision.names.join(', ')}.
            </p>
            <div className="flex flex-wrap gap-2">
              <Button size="sm" isRunning={publish.isRunning} onClick={() => publish.run(collision)}>
                Publish mine over it
              </Button>
              <Button
                size="sm"
                disabledReason={publish.isRunning ? 'It is being published' : null}
                onClick={onDiscard}
              >
                Discard mine
              </Button>
              <a
                className="self-center rounded text-accent underline"
                href={collision.form.share_url}
                target="_blank"
                rel="noreferrer"
                onClick={refresh}
              >
                Look at what is published
              </a>
            </div>
          </div>
        </Notice>
      )}
      {/* Closing is held until the response: changes made in between would be lost if it brings others' changes. */}
      <HoldDialog isHeld={publish.isRunning} />
      <DialogActions>
        <DialogCancel>Not yet</DialogCancel>
        <Button
          look="primary"
          isRunning={publish.isRunning}
          disabledReason={blocking.length > 0 ? 'Fix the problems first.' : null}
          onClick={() => publish.run(null)}
        >
          {odd.length > 0 ? 'Publish anyway' : 'Publish'}
        </Button>
      </DialogActions>
    </div>
  );
}

/** Members that both this draft and somebody else changed, differently. */
interface Collision {
  /** The form as it is now. */
  form: Form;
  /** The version to publish over; later changes are asked about again. */
  version: number;
  /** Names of these members for people. */
  names: string[];
  /** It was changed again while the question was open. */
  isAnother: boolean;
}

const NAMES: Record<string, string> = { properties: 'fields', submit_button_text: 'button' };

/**
 * Publishes the draft. Others' changes to other members stay; in a collision `onCollision` is called and nothing is published.
 * @param over the collision that the user decided to overwrite
 */
async function putOnline(
  formId: number,
  over: Collision | null,
  onCollision: (collision: Collision) => void,
): Promise<Form | null> {
  const path = { form: formId };
  const body = over ? { force: true, version: over.version } : {};
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

interface ProblemListProps {
  title: string;
  icon: React.ReactNode;
  problems: readonly Problem[];
  nameOf(id: string | null): string;
  isOff: boolean;
  onShow(blockId: string): void;
}

function ProblemList({ title, icon, problems, nameOf, isOff, onShow }: ProblemListProps) {
  return (
    <section className="grid gap-1.5">
      <h3 className="flex items-center gap-2 font-medium">
        <span aria-hidden="true">{icon}</span>
        {title}
      </h3>
      <ul className="grid max-h-64 gap-1 overflow-y-auto">
        {problems.map(({ blockId, text }) => (
          <li key={`${blockId} ${text}`}>
            {blockId === null ? (
              <p className="px-2 py-1">{text}</p>
            ) : (
              <button
                type="button"
                className="w-full rounded-md px-2 py-1 text-start hover:bg-hover aria-disabled:opacity-50"
                aria-disabled={isOff}
                onClick={() => !isOff && onShow(blockId)}
              >
                <bdi className="font-medium break-words">{nameOf(blockId)}</bdi>
                <span className="block text-muted">{text}</span>
              </button>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Refusals of the service that were not found here. */
function Refusals({ errors, nameOf }: { errors: Errors; nameOf(index: number): string }) {
  const entries = Object.entries(errors).filter(
    ([key]) => key !== 'properties' || Object.keys(errors).length === 1,
  );
  if (entries.length === 0) return null;
  return (
    <Notice tone="bad">
      <ul className="grid gap-1">
        {entries.map(([key, messages]) => {
          const index = /^properties\.(\d+)/.exec(key)?.[1];
          return (
            <li key={key}>
              {index !== undefined && <bdi className="font-medium">{nameOf(Number(index))}: </bdi>}
              {messages.join(' ')}
            </li>
          );
        })}
      </ul>
    </Notice>
  );
}
