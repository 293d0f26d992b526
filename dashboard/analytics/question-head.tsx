import type { Property } from '../../fields/property.ts';
import { KindIcon } from '../form-builder/blocks/kind-icon.tsx';
import { kindOf } from '../form-builder/blocks/kinds.ts';
import { formatNumber } from '../lib/format.ts';
import { UserText } from '../ui/user-text.tsx';
import { formatShare } from './figures.tsx';
import type { FieldFigures } from './queries.ts';

interface QuestionHeadProps {
  property: Property;
  figures: Pick<FieldFigures, 'name' | 'answered'>;
  /** Responses or entries with or without an answer. */
  whole: number;
  /** Whether it is one of repeated questions. */
  isInner?: boolean;
}

/** The question, and how many answered it. */
export function QuestionHead({
  property,
  figures: { name, answered },
  whole,
  isInner = false,
}: QuestionHeadProps) {
  const Heading = isInner ? 'h4' : 'h3';
  return (
    <div className="mb-4 flex gap-2">
      <KindIcon kind={kindOf(property)?.key} className="mt-0.5 text-muted" />
      <div className="min-w-0">
        <Heading className="font-medium">
          <UserText text={name} />
        </Heading>
        <p className="text-[0.8125rem] text-muted tabular-nums">
          {formatNumber(answered)} answered · {formatShare(answered, whole)}
        </p>
      </div>
    </div>
  );
}
