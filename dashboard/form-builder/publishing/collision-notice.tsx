import { useQueryClient } from '@tanstack/react-query';
import { formQuery } from '../../api/queries.ts';
import { formatMoment } from '../../lib/format.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/states.tsx';
import type { Collision } from './use-publishing.ts';

interface CollisionNoticeProps {
  collision: Collision;
  isRunning: boolean;
  onOverwrite(): void;
  onDiscard(): void;
}

/** Something else was published since the draft was begun: the user chooses which goes on. */
export function CollisionNotice({ collision, isRunning, onOverwrite, onDiscard }: CollisionNoticeProps) {
  const { form, names, isAnother } = collision;
  const client = useQueryClient();
  const refresh = () => void client.invalidateQueries({ queryKey: formQuery(form.id).queryKey });
  return (
    <Notice tone="warn">
      <div className="grid gap-2" role="alert">
        <p>
          The form was changed {isAnother && 'once more '}by another way at {formatMoment(form.updated_at)},
          after these changes were begun. Both changed its {names.join(', ')}.
        </p>
        <div className="flex flex-wrap gap-2">
          <Button size="sm" isRunning={isRunning} onClick={onOverwrite}>
            Publish mine over it
          </Button>
          <Button size="sm" disabledReason={isRunning ? 'It is being published' : null} onClick={onDiscard}>
            Discard mine
          </Button>
          <a
            className="self-center rounded text-accent underline"
            href={form.share_url}
            target="_blank"
            rel="noreferrer"
            onClick={refresh}
          >
            Look at what is published
          </a>
        </div>
      </div>
    </Notice>
  );
}
