import { CircleAlert, Info, TriangleAlert } from 'lucide-react';
import { knownBlocks } from '../../../fields/former-answers/known-blocks.ts';
import type { Errors } from '../../api/client.ts';
import type { Form } from '../../api/queries.ts';
import { memberName } from '../../lib/member-names.ts';
import { FailingScenarios } from '../../scenarios/failing-scenarios.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogCancel, HoldDialog } from '../../ui/dialog.tsx';
import { DialogActions } from '../../ui/dialog-actions.tsx';
import { Notice } from '../../ui/states.tsx';
import type { Definition } from '../definition.ts';
import { PastAnswers } from '../lists/past-answers.tsx';
import { RemovedPastAnswers } from '../lists/removed-past-answers.tsx';
import { isHardToRead, USUAL_COLOR } from '../preview/contrast.ts';
import type { Autosave } from '../saving/use-autosave.ts';
import { CollisionNotice } from './collision-notice.tsx';
import { ProblemList } from './problem-list.tsx';
import type { Problem } from './problems.ts';
import { usePublishing } from './use-publishing.ts';

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
  const { publish, collision, renamed, renamesPast, setRenamesPast } = usePublishing({
    form,
    definition,
    autosave,
    onConflict: onClose,
    onPublished,
  });
  const nameOf = (id: string | null) =>
    definition.properties.find((block) => block.id === id)?.name.trim() || 'A block without a name';
  // That a form goes online for the first time is said anyway.
  const others = Object.keys(definition.others ?? {}).filter(
    (member) => member !== 'visibility' || form.visibility !== 'draft',
  );
  const blocking = problems.filter(({ isBlocking }) => isBlocking);
  const odd = problems.filter(({ isBlocking }) => !isBlocking);
  return (
    <div className="grid gap-4">
      {form.visibility === 'draft' && <p>Then everybody with the link can fill it in.</p>}
      {form.visibility === 'closed' && (
        <Notice tone="warn">The form is closed: the changes are published, and it stays closed.</Notice>
      )}
      {others.length > 0 && (
        <p>Also online then, from changes made outside the builder: {others.map(memberName).join(', ')}.</p>
      )}
      <ProblemList
        title="Fix this first"
        icon={<CircleAlert className="size-4 text-bad" />}
        problems={blocking}
        nameOf={nameOf}
        isOff={publish.isRunning}
        onShow={onShow}
      />
      <ProblemList
        title="You may want to look at this"
        icon={<TriangleAlert className="size-4 text-warn" />}
        problems={odd}
        nameOf={nameOf}
        isOff={publish.isRunning}
        onShow={onShow}
      />
      {form.color !== USUAL_COLOR && isHardToRead(form.color) && (
        <p className="flex gap-2 text-muted">
          <Info aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
          The color of the form is hard to read on some places. There the page uses a darker or lighter one by
          itself.
        </p>
      )}
      <FailingScenarios formId={String(form.id)} save={() => saved(autosave)}>
        {problems.length === 0 && <p className="text-muted">No problems found.</p>}
      </FailingScenarios>
      {renamed.length > 0 && (
        <PastAnswers formId={form.id} renamed={renamed} isOn={renamesPast} onChange={setRenamesPast} />
      )}
      <RemovedPastAnswers before={knownBlocks(form)} after={definition.properties} />
      <Refusals
        errors={publish.errors}
        nameOf={(index) => nameOf(definition.properties[index]?.id ?? null)}
      />
      {collision && (
        <CollisionNotice
          collision={collision}
          isRunning={publish.isRunning}
          onOverwrite={() => publish.run(collision)}
          onDiscard={onDiscard}
        />
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

/** Saves the draft. @throws Error where it could not be: what is stored then is not what would be published */
async function saved({ flush }: Autosave): Promise<void> {
  const { state, problem } = await flush();
  if (state !== 'saved') throw new Error(problem || 'Your changes are not saved.');
}
