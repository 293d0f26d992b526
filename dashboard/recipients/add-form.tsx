import { useQueryClient } from '@tanstack/react-query';
import { useMemo, useRef, useState } from 'react';
import { ApiError, isPassing } from '../api/client.ts';
import type { Form } from '../api/queries.ts';
import { readText } from '../import/read-table.ts';
import { UnreadableFile } from '../import/unreadable-file.ts';
import { ENCODINGS } from '../lib/encodings.ts';
import { formatCount, formatNumber } from '../lib/format.ts';
import { useDebounced } from '../lib/use-debounced.ts';
import { isFilledByText, questionsOf } from '../share/questions.ts';
import { Button } from '../ui/button.tsx';
import { DialogCancel, HoldDialog } from '../ui/dialog.tsx';
import { DialogActions } from '../ui/dialog-actions.tsx';
import { Field } from '../ui/field.tsx';
import { Select, Textarea } from '../ui/input.tsx';
import { Notice } from '../ui/states.tsx';
import { showToast } from '../ui/toasts.tsx';
import { UserText } from '../ui/user-text.tsx';
import { recipientsKey } from './queries.ts';
import { type People, type Person, readPeople } from './read-people.ts';
import { type Added, NOBODY_YET, sendPeople, without } from './send-people.ts';

/** The file that the text is from. */
interface Source {
  file: File;
  /** null for Unicode. */
  encoding: string | null;
}

const EXAMPLE = 'Ada Lovelace, ada@example.org\nGrace Hopper, grace@example.org';
/** Characters that a textarea holds without slowing down the page. */
const MOST_SHOWN = 200_000;
/** Most rows, addresses or answers that are listed. */
const MOST_NAMED = 5;

/** Adds people from a text or a file, after showing how it was read. */
export function AddForm({ form, onClose }: { form: Form; onClose(): void }) {
  const [text, setText] = useState('');
  const [source, setSource] = useState<Source | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [isAdding, setAdding] = useState(false);
  /** People added before a call failed: sent again, those without an address would be added twice. */
  const [added, setAdded] = useState<Added>(NOBODY_YET);
  /** A later choice counts, even if an earlier file is read more slowly. */
  const choice = useRef(0);
  const client = useQueryClient();
  const settled = useDebounced(text);
  // Memoised, because a long list takes a second.
  const read = useMemo(
    () => (settled.trim() === '' ? null : readPeople(settled, questionsOf(form).filter(isFilledByText))),
    [settled, form],
  );
  const people = useMemo(() => without(read?.people ?? [], added.people), [read, added]);
  const count = text === settled ? people.length : 0;

  const change = (next: string, from: Source | null = null) => {
    choice.current += 1;
    setText(next);
    setSource(from);
    setProblem(null);
  };
  const choose = async (file: File | undefined, chosen?: string) => {
    if (!file) return;
    choice.current += 1;
    const own = choice.current;
    try {
      const { text: content, encoding } = await readText(file, chosen);
      if (own === choice.current) change(content, { file, encoding });
    } catch (error) {
      if (own !== choice.current) return;
      setProblem(error instanceof UnreadableFile ? error.message : 'The file cannot be read.');
    }
  };
  const add = async () => {
    setAdding(true);
    setProblem(null);
    const sent = choice.current;
    let soFar = added;
    try {
      for await (const sent of sendPeople(form, people, added)) soFar = sent;
      const { count: fresh, already } = soFar;
      const rest = already > 0 ? ` ${formatCount(already, 'was', 'were')} on the list already.` : '';
      showToast({ text: `${formatCount(fresh, 'person was', 'people were')} added.${rest}` });
      // A file that was chosen meanwhile is there to be added, too.
      if (choice.current === sent) onClose();
      else setAdded({ ...NOBODY_YET, people: soFar.people });
    } catch (error) {
      setAdded(soFar);
      const rest = without(people, soFar.people);
      setProblem(`${doneWords(soFar)}${wordsOf(error)}${doubtWords(rest, error)}`);
    } finally {
      setAdding(false);
      await client.invalidateQueries({ queryKey: recipientsKey(String(form.id)) });
    }
  };
  const hiddenFile = text.length > MOST_SHOWN ? source?.file : undefined;
  return (
    <div className="grid grid-cols-1 gap-4">
      <Field
        name="people"
        label="People, one in a row"
        hint="A name, an address or both. A first row may name the columns: name, email, and questions of the form, which are filled in then."
        {...(problem && { errors: { people: [problem] } })}
      >
        <Textarea
          rows={8}
          spellCheck={false}
          placeholder={EXAMPLE}
          className="font-mono text-[0.8125rem]"
          value={hiddenFile ? '' : text}
          disabled={hiddenFile !== undefined}
          onChange={({ target }) => change(target.value)}
        />
      </Field>
      {hiddenFile && (
        <Notice>
          <span className="flex flex-wrap items-center justify-between gap-3">
            <UserText text={hiddenFile.name} className="min-w-0" />
            <Button size="sm" onClick={() => change('')}>
              Remove
            </Button>
          </span>
        </Notice>
      )}
      <FileButton onChoose={(file) => void choose(file)} />
      {source?.encoding && (
        <Field name="encoding" label="Its letters are of">
          <Select
            className="w-full sm:w-72"
            value={source.encoding}
            onChange={({ target }) => void choose(source.file, target.value)}
          >
            {ENCODINGS.map(({ name, label }) => (
              <option key={name} value={name}>
                {label}
              </option>
            ))}
          </Select>
        </Field>
      )}
      <div aria-live="polite">{read && <Reading read={read} />}</div>
      <HoldDialog isHeld={isAdding} />
      <DialogActions>
        <DialogCancel />
        <Button look="primary" isRunning={isAdding} disabled={count === 0} onClick={() => void add()}>
          {count === 0 ? 'Add' : `Add ${formatCount(count, 'person', 'people')}`}
        </Button>
      </DialogActions>
    </div>
  );
}

function FileButton({ onChoose }: { onChoose(file: File | undefined): void }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <div>
      <Button onClick={() => input.current?.click()}>Choose a file …</Button>
      <input
        ref={input}
        type="file"
        accept=".csv,.tsv,.txt,.xlsx,text/csv,text/plain,application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
        aria-label="List of people"
        hidden
        onChange={({ target }) => {
          onChoose(target.files?.[0]);
          // Allows the same file to be chosen again after corrections.
          target.value = '';
        }}
      />
    </div>
  );
}

/** Shows what was read, and what was not. */
function Reading({ read: { people, unread, shared, filledIn, noOptions, ignored } }: { read: People }) {
  const withMail = people.filter(({ email }) => email !== undefined).length;
  return (
    <div className="grid gap-2 wrap-anywhere">
      <p>
        {formatCount(people.length, 'person', 'people')}, {formatNumber(withMail)} of them with an address.
        {filledIn.length > 0 && ` Filled in: ${filledIn.join(', ')}.`}
      </p>
      {people.length > 0 && (
        <p className="text-muted">
          First: <bdi>{firstOf(people.slice(0, MOST_NAMED + 1).map(wordsFor))}</bdi>
        </p>
      )}
      {ignored.length > 0 && <Notice>Columns that fill in no question: {ignored.join(', ')}.</Notice>}
      {unread.length > 0 && (
        <Notice tone="warn">
          {formatCount(unread.length, 'row')} without a name or a good address: {firstOf(unread)}
        </Notice>
      )}
      {shared.length > 0 && (
        <Notice tone="warn">
          An address has one link, for whoever comes last with it. Of several people: {firstOf(shared)}
        </Notice>
      )}
      {noOptions.length > 0 && (
        <Notice tone="warn">Not an option of the form, so not filled in: {firstOf(noOptions)}</Notice>
      )}
    </div>
  );
}

function wordsFor({ name, email }: Person): string {
  return [name, email && `<${email}>`].filter(Boolean).join(' ');
}

function firstOf(all: readonly (string | number)[]): string {
  return `${all.slice(0, MOST_NAMED).join(', ')}${all.length > MOST_NAMED ? ' …' : ''}`;
}

/** What was done before a call failed; '' if nothing. */
function doneWords({ people }: Added): string {
  return people.length === 0
    ? ''
    : `${formatCount(people.length, 'person is', 'people are')} on the list now. `;
}

/** An answer that was lost leaves open whether people were added. Those with an address would be found, the others added again. */
function doubtWords(rest: readonly Person[], error: unknown): string {
  const isInDoubt = isPassing(error) && !(error instanceof ApiError && error.status === 429);
  return isInDoubt && rest.some(({ email }) => !email)
    ? ' The next ones may be on the list all the same: look there first, as people without an address would be added twice.'
    : '';
}

function wordsOf(error: unknown): string {
  if (!(error instanceof ApiError)) return 'They could not be added.';
  return Object.values(error.errors).flat()[0] ?? error.message;
}
