import { useEffect, useRef, useState } from 'react';
import { ENCODINGS } from '../lib/encodings.ts';
import { Field } from '../ui/field.tsx';
import { Select } from '../ui/input.tsx';
import { DELIMITERS } from './cut-text.ts';
import type { Heads } from './heads.ts';
import { type Chosen, type Reading, readTable, type SourceTable } from './read-table.ts';
import { UnreadableFile } from './unreadable-file.ts';

interface ReadingFieldsProps {
  table: SourceTable;
  /** Called with the same file, read in another way. */
  onRead(table: SourceTable): void;
}

const HEADS: readonly (readonly [Heads, string])[] = [
  ['names', 'One row'],
  ['questions-and-options', 'Two rows: questions and their options, as of SurveyMonkey'],
  ['variables-and-questions', 'Rows of Qualtrics: variables, questions, ids'],
];
const NAMES: Record<string, string> = { ',': 'Commas', ';': 'Semicolons', '\t': 'Tabs' };

/** Lets the user correct how the file is read: separator, encoding or sheet. */
export function ReadingFields({ table, onRead }: ReadingFieldsProps) {
  const { file, reading, heads } = table;
  const [isReading, setReading] = useState(false);
  const [problem, setProblem] = useState<{ of: keyof Chosen; words: string } | null>(null);
  // A later choice counts, even if an earlier one is read more slowly.
  const choice = useRef(0);
  useEffect(() => () => void choice.current++, []);
  const choose = async (of: keyof Chosen, value: string) => {
    choice.current += 1;
    const own = choice.current;
    setReading(true);
    setProblem(null);
    try {
      const read = await readTable(file, { ...table.chosen, [of]: value });
      if (own === choice.current) onRead(read);
    } catch (error) {
      const words = error instanceof UnreadableFile ? error.message : 'The file cannot be read.';
      if (own === choice.current) setProblem({ of, words });
    }
    if (own === choice.current) setReading(false);
  };
  return [...fieldsOf(reading), headsField(heads)].map(({ of, label, value, options }) => (
    <Field
      key={of}
      name={of}
      label={label}
      {...(problem?.of === of && { errors: { [of]: [problem.words] } })}
    >
      <Select
        className="w-full sm:w-72"
        value={value}
        aria-busy={isReading}
        onChange={({ target }) => void choose(of, target.value)}
      >
        {options.map(([key, name]) => (
          <option key={key} value={key}>
            {name}
          </option>
        ))}
      </Select>
    </Field>
  ));
}

interface ReadingField {
  of: keyof Chosen;
  label: string;
  value: string;
  options: (readonly [key: string, name: string])[];
}

function headsField(value: Heads): ReadingField {
  return { of: 'heads', label: 'Columns are named by', value, options: HEADS.map((one) => one) };
}

function fieldsOf(reading: Reading): ReadingField[] {
  if (reading.of === 'workbook') {
    const { sheet, sheets } = reading;
    if (sheets.length < 2) return [];
    return [{ of: 'sheet', label: 'Sheet', value: sheet, options: sheets.map((name) => [name, name]) }];
  }
  const { delimiter, encoding } = reading;
  const letters: ReadingField = {
    of: 'encoding',
    label: 'Its letters are of',
    value: encoding ?? '',
    options: ENCODINGS.map(({ name, label }) => [name, label]),
  };
  const columns: ReadingField = {
    of: 'delimiter',
    label: 'Columns are separated by',
    value: delimiter,
    options: [...new Set([...DELIMITERS, delimiter])].map((key) => [key, NAMES[key] ?? key]),
  };
  return encoding === null ? [columns] : [letters, columns];
}
