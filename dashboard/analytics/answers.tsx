import { useQuery } from '@tanstack/react-query';
import { MessageSquareText } from 'lucide-react';
import { memo, type ReactNode } from 'react';
import type { Property } from '../../fields/property.ts';
import type { Form } from '../api/queries.ts';
import { classes } from '../lib/classes.ts';
import { formatCount } from '../lib/format.ts';
import { Load } from '../ui/load.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { EmptyState, Notice } from '../ui/states.tsx';
import { AnswerFigure } from './answer-figure.tsx';
import { isWideMatrix } from './cells.tsx';
import { EntryFigures } from './entry-figures.tsx';
import { type AnswerStatistics, answersQuery, type FieldFigures } from './queries.ts';
import { QuestionHead } from './question-head.tsx';

interface AnswersProps {
  workspaceId: string;
  form: Form;
  range: { from: string; to: string };
  withPartials: boolean;
}

/** The answers, question by question. */
export function Answers({ workspaceId, form, range, withPartials }: AnswersProps) {
  const formId = String(form.id);
  const query = useQuery(answersQuery(formId, { ...range, status: withPartials ? 'all' : 'completed' }));
  return (
    <section aria-labelledby="answers" className="mt-8">
      <h2 id="answers" className="mb-4 text-base font-semibold">
        Answers
      </h2>
      <Load query={query} skeleton={<AnswersSkeleton />}>
        {(statistics) => (
          <div
            aria-busy={query.isPlaceholderData}
            className={`grid gap-5 ${query.isPlaceholderData ? 'opacity-60' : ''}`}
          >
            <Figures workspaceId={workspaceId} form={form} statistics={statistics} />
          </div>
        )}
      </Load>
    </section>
  );
}

/** Rendered again only for new figures, not while they are loading. */
const Figures = memo(function Figures({
  workspaceId,
  form,
  statistics: { submissions, uncounted, fields },
}: {
  workspaceId: string;
  form: Form;
  statistics: AnswerStatistics;
}) {
  const properties = new Map((form.properties as unknown as Property[]).map((one) => [one.id, one]));
  return (
    <>
      {uncounted > 0 && (
        <Notice>{formatCount(uncounted, 'new response')} will be counted in the next minutes.</Notice>
      )}
      {submissions === 0 ? (
        <EmptyState icon={<MessageSquareText aria-hidden="true" />} title="No answers in these days">
          Choose other days, or share the form so that people answer it.
        </EmptyState>
      ) : (
        <div className="grid grid-cols-1 gap-5 lg:grid-cols-2">
          {fields.map((figures) => {
            const property = properties.get(figures.id);
            return property ? (
              <FieldCard key={figures.id} property={property} figures={figures} submissions={submissions}>
                {figures.entries ? (
                  <EntryFigures
                    workspaceId={workspaceId}
                    formId={String(form.id)}
                    property={property}
                    entries={figures.entries}
                    questions={figures.questions ?? []}
                  />
                ) : (
                  <AnswerFigure
                    workspaceId={workspaceId}
                    formId={String(form.id)}
                    property={property}
                    figures={figures}
                    whole={submissions}
                    unit="responses"
                  />
                )}
              </FieldCard>
            ) : null;
          })}
        </div>
      )}
      {fields.some(({ numbers }) => numbers) && (
        <p className="text-xs text-muted">
          Lowest and highest numbers, and columns, are rounded to four digits; to two where more than 250
          different ones were given on a day.
        </p>
      )}
    </>
  );
});

function FieldCard({
  property,
  figures,
  submissions,
  children,
}: {
  property: Property;
  figures: FieldFigures;
  submissions: number;
  children: ReactNode;
}) {
  return (
    <article
      className={classes(
        'min-w-0 rounded-xl border border-line bg-surface p-5',
        (isWideMatrix(property) || figures.entries) && 'lg:col-span-2',
      )}
    >
      <QuestionHead property={property} figures={figures} whole={submissions} />
      {figures.answered > 0 ? children : <p className="text-muted">Nobody answered it in these days.</p>}
    </article>
  );
}

function AnswersSkeleton() {
  return (
    <div className="grid grid-cols-1 gap-5 lg:grid-cols-2">
      {['one', 'two', 'three', 'four'].map((name) => (
        <Skeleton key={name} className="h-56 rounded-xl" />
      ))}
    </div>
  );
}
