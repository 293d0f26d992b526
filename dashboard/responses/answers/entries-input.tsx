import { Plus } from 'lucide-react';
import { type ComponentType, memo, useCallback, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { type JsonValue, ownMember, type Property } from '../../../fields/property.ts';
import {
  type Entry,
  entriesOf,
  entryLimits,
  entryName,
  questionsOf,
} from '../../../fields/repeated-questions.ts';
import type { Errors } from '../../api/client.ts';
import { newId } from '../../form-builder/new-id.ts';
import { Button } from '../../ui/button.tsx';

interface InputProps {
  property: Property;
  answer: JsonValue | undefined;
  /** Language of the form, which decides how numbers are written. */
  language: string;
  onChange(answer: JsonValue): void;
}

interface EntriesInputProps extends InputProps {
  /** The input for an answer of an entry. */
  AnswerInput: ComponentType<InputProps & { errors: Errors }>;
}

/** Problems with entries are shown below all of them. */
const NO_ERRORS: Errors = {};

/** Edits the entries of repeated questions, adds and removes them. */
export function EntriesInput({ property, answer, language, AnswerInput, onChange }: EntriesInputProps) {
  const entries = (answer !== undefined && entriesOf(answer)) || [];
  // Keys keep typed text with its entry when an earlier one is removed.
  const [keys, setKeys] = useState(() => entries.map(newId));
  const box = useRef<HTMLDivElement>(null);
  const { max } = entryLimits(property);
  const change = (next: Entry[], nextKeys: string[]) => {
    setKeys(nextKeys);
    onChange(next);
  };
  const add = () => {
    flushSync(() => change([...entries, {}], [...keys, newId()]));
    const last = box.current?.querySelector(':scope > fieldset:last-of-type');
    last?.querySelector<HTMLElement>('input, select, textarea')?.focus();
  };
  const remove = (index: number) => {
    flushSync(() => change(entries.toSpliced(index, 1), keys.toSpliced(index, 1)));
    const buttons = box.current?.querySelectorAll<HTMLElement>('[data-remove]');
    (buttons?.[Math.min(index, entries.length - 2)] ?? box.current?.querySelector('button'))?.focus();
  };
  const set = (index: number, id: string, value: JsonValue) =>
    onChange(entries.with(index, { ...entries[index], [id]: value }));
  const latest = useRef({ set, remove });
  latest.current = { set, remove };
  const setLatest = useCallback<typeof set>((...change) => latest.current.set(...change), []);
  const removeLatest = useCallback((index: number) => latest.current.remove(index), []);
  return (
    <div ref={box} className="grid grid-cols-1 gap-3">
      {entries.length === 0 && <p className="text-muted">No answer</p>}
      {entries.map((entry, index) => (
        <EntryInput
          key={keys[index] ?? index}
          property={property}
          entry={entry}
          index={index}
          language={language}
          AnswerInput={AnswerInput}
          onChange={setLatest}
          onRemove={removeLatest}
        />
      ))}
      <Button
        size="sm"
        className="justify-self-start"
        icon={<Plus className="size-4" />}
        disabledReason={entries.length < max ? null : `There may be ${max}.`}
        onClick={add}
      >
        Add an entry
      </Button>
    </div>
  );
}

interface EntryInputProps extends Pick<EntriesInputProps, 'property' | 'language' | 'AnswerInput'> {
  entry: Entry;
  index: number;
  onChange(index: number, id: string, value: JsonValue): void;
  onRemove(index: number): void;
}

/** Memoised: rendering up to a hundred entries on each key press would be too slow. */
const EntryInput = memo(function EntryInput({
  property,
  entry,
  index,
  language,
  AnswerInput,
  onChange,
  onRemove,
}: EntryInputProps) {
  return (
    <fieldset className="min-w-0 rounded-lg border border-line px-3 pt-1 pb-3">
      <legend className="px-1 text-[0.8125rem] text-muted">
        <bdi>
          {entryName(property)} {index + 1}
        </bdi>
      </legend>
      <div className="grid grid-cols-1 gap-3">
        {questionsOf(property).map((question) => (
          <div key={question.id} className="min-w-0">
            <AnswerInput
              property={{ ...question, id: `${property.id}[${index}][${question.id}]` }}
              answer={ownMember(entry, question.id)}
              language={language}
              errors={NO_ERRORS}
              onChange={(value) => onChange(index, question.id, value)}
            />
          </div>
        ))}
        <Button size="sm" data-remove className="justify-self-start" onClick={() => onRemove(index)}>
          Remove {entryName(property)} {index + 1}
        </Button>
      </div>
    </fieldset>
  );
});
