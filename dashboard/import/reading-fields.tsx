import { useEffect, useRef, useState } from 'react';
import { ENCODINGS } from '../lib/encodings.ts';
import { Field } from '../ui/field.tsx';
import { Select } from '../ui/input.tsx';
import { type Chosen, DELIMITERS, readTable, type SourceTable, UnreadableFile } from './read-table.ts';

interface ReadingFieldsProps {
  table: SourceTable;
  /** Told the same file, read in another way. */
  onRead(table: SourceTable): void;
}

const NAMES: Record<string, string> = { ',': 'Commas', ';': 'Semicolons', '\t': 'Tabs' };

/** What stands between columns, and in which letters the file is, where that was not found out. */
export function ReadingFields({ table, onRead }: ReadingFieldsProps) {
  const { file, delimiter, encoding } = table;
  const [isReading, setReading] = useState(false);
  const [problem, setProblem] = useState<{ of: keyof Chosen; words: string } | null>(null);
  // What was chosen since, or is under way since, is not overtaken.
  const choice = useRef(0);
  useEffect(() => () => void choice.current++, []);
  const choose = async (of: keyof Chosen, value: string) => {
    choice.current += 1;
    const own = choice.current;
    setReading(true);
    setProblem(null);
    try {
      const read = await readTable(file, { delimiter, ...(encoding && { encoding }), [of]: value });
      if (own === choice.current) onRead(read);
    } catch (error) {
      const words = error instanceof UnreadableFile ? error.message : 'The file cannot be read.';
      if (own === choice.current) setProblem({ of, words });
    }
    if (own === choice.current) setReading(false);
  };
  const fieldOf = (
    of: keyof Chosen,
    label: string,
    value: string,
    options: (readonly [string, string])[],
  ) => (
    <Field name={of} label={label} {...(problem?.of === of && { errors: { [of]: [problem.words] } })}>
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
  );
  const delimiters = [...new Set([...DELIMITERS, delimiter])];
  return (
    <>
      {encoding !== null &&
        fieldOf(
          'encoding',
          'Its letters are of',
          encoding,
          ENCODINGS.map(({ name, label }) => [name, label]),
        )}
      {fieldOf(
        'delimiter',
        'Columns are separated by',
        delimiter,
        delimiters.map((key) => [key, NAMES[key] ?? key]),
      )}
    </>
  );
}
