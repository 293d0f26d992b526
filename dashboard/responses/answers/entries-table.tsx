import type { ReactNode } from 'react';
import { isBlank } from '../../../fields/block-options/options.ts';
import { type JsonValue, ownMember, type Property } from '../../../fields/property.ts';
import { type Entry, entriesOf, entryName, questionsOf } from '../../../fields/repeated-questions.ts';

interface EntriesTableProps {
  property: Property;
  answer: JsonValue;
  renderAnswer(question: Property, answer: JsonValue): ReactNode;
}

/** A row for each entry and a column for each question; it scrolls if it is too large. */
export function EntriesTable({ property, answer, renderAnswer }: EntriesTableProps) {
  const entries = entriesOf(answer) ?? [];
  const questions = [...questionsOf(property), ...removedQuestions(property, entries)];
  return (
    <section
      aria-label={property.name}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: without the focus, keys could not scroll it
      tabIndex={0}
      data-scrolls
      className="max-h-96 overflow-auto rounded-lg border border-line"
    >
      <table className="w-full border-collapse text-start">
        <thead className="sticky top-0 bg-sunken">
          <tr>
            <th scope="col" className="px-2.5 py-1.5 text-start font-normal text-muted">
              <span className="sr-only">{entryName(property)}</span>
            </th>
            {questions.map(({ id, name }) => (
              <th
                key={id}
                scope="col"
                dir="auto"
                className="min-w-24 px-2.5 py-1.5 text-start text-[0.8125rem] font-normal wrap-anywhere text-muted"
              >
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {entries.map((entry, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: entries have nothing but their place
            <tr key={index} className="border-t border-line align-top">
              <th scope="row" className="px-2.5 py-1.5 text-start font-normal text-muted tabular-nums">
                {index + 1}
              </th>
              {questions.map((question) => {
                const value = ownMember(entry, question.id);
                return (
                  <td key={question.id} className="px-2.5 py-1.5">
                    {value !== undefined && !isBlank(value) && renderAnswer(question, value)}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** Questions that entries answer but the field no longer asks. */
function removedQuestions(property: Property, entries: readonly Entry[]): Property[] {
  const known = new Set(questionsOf(property).map(({ id }) => id));
  const ids = new Set(entries.flatMap((entry) => Object.keys(entry)).filter((id) => !known.has(id)));
  return [...ids].map((id) => ({ id, type: 'unknown', name: 'Removed question' }));
}
