import { retentionDays } from '../../../fields/block-options/answer-retention.ts';
import type { Property } from '../../../fields/property.ts';
import { formatCount } from '../../lib/format.ts';
import { Notice } from '../../ui/states.tsx';

interface RemovedPastAnswersProps {
  /** The published blocks, and those that were: their past answers are still stored. */
  before: readonly Property[];
  after: readonly Property[];
}

/** Tells which fields get a retention, or a shorter one, because their past answers are then removed. */
export function RemovedPastAnswers({ before, after }: RemovedPastAnswersProps) {
  const formerDays = new Map(before.map((block) => [block.id, retentionDays(block)]));
  const shortened = after.filter((block) => {
    const former = formerDays.get(block.id);
    const days = retentionDays(block);
    return former !== undefined && days !== null && (former === null || days < former);
  });
  if (shortened.length === 0) return null;
  return (
    <Notice tone="warn">
      <div className="grid gap-1">
        <p>
          Past answers to these questions are removed for good within an hour, if their response was last
          changed longer ago than this:
        </p>
        <ul className="max-h-40 list-disc overflow-y-auto ps-5">
          {shortened.map((block) => (
            <li key={block.id} className="wrap-anywhere">
              <bdi>{block.name}</bdi>: {formatCount(retentionDays(block) ?? 0, 'day')}
            </li>
          ))}
        </ul>
      </div>
    </Notice>
  );
}
