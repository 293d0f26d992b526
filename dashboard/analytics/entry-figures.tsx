import type { Property } from '../../fields/property.ts';
import { questionsOf } from '../../fields/repeated-questions.ts';
import { formatFigure } from '../lib/format.ts';
import { AnswerFigure, Columns, Fact, tidy } from './answer-figure.tsx';
import type { FieldFigures } from './queries.ts';
import { QuestionHead } from './question-head.tsx';

interface EntryFiguresProps {
  workspaceId: string;
  formId: string;
  property: Property;
  entries: NonNullable<FieldFigures['entries']>;
  questions: NonNullable<FieldFigures['questions']>;
}

/** The number of entries of repeated questions, and their answers by question. */
export function EntryFigures({ workspaceId, formId, property, entries, questions }: EntryFiguresProps) {
  const { total, mean, min, max, answers } = entries;
  const asked = new Map(questionsOf(property).map((question) => [question.id, question]));
  const counts = new Map(answers.map(({ entries: length, count }) => [length, count]));
  const columns = Array.from({ length: max - min + 1 }, (_, at) => ({
    name: formatFigure(min + at),
    count: counts.get(min + at) ?? 0,
  }));
  return (
    <>
      <dl className="mb-3 flex flex-wrap gap-x-6 gap-y-1">
        <Fact name="Entries" number={total} />
        <Fact name="Per response" number={tidy(mean)} />
        <Fact name="Fewest" number={min} />
        <Fact name="Most" number={max} />
      </dl>
      <p className="text-[0.8125rem] text-muted">Responses by how many entries they have</p>
      <Columns columns={columns} />
      <div className="mt-5 grid grid-cols-1 gap-5 border-t border-line pt-5 lg:grid-cols-2">
        {questions.map((figures) => {
          const question = asked.get(figures.id);
          return question ? (
            <section key={figures.id} aria-label={figures.name} className="min-w-0">
              <QuestionHead property={question} figures={figures} whole={total} isInner />
              {figures.answered > 0 && (
                <AnswerFigure
                  workspaceId={workspaceId}
                  formId={formId}
                  property={question}
                  figures={figures}
                  whole={total}
                  unit="entries"
                />
              )}
            </section>
          ) : null;
        })}
      </div>
    </>
  );
}
