import { useEffect, useRef, useState } from 'react';
import { Field } from '../ui/field.tsx';
import { Select } from '../ui/input.tsx';
import { DELIMITERS, readTable, type SourceTable, UnreadableFile } from './read-table.ts';

interface DelimiterFieldProps {
  table: SourceTable;
  /** Told the same file, cut at another character. */
  onRead(table: SourceTable): void;
}

const NAMES: Record<string, string> = { ',': 'Commas', ';': 'Semicolons', '\t': 'Tabs' };

/** What stands between columns, for a file of which it was not found out. */
export function DelimiterField({ table, onRead }: DelimiterFieldProps) {
  const [isReading, setReading] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  // What was chosen since, or is under way since, is not overtaken.
  const choice = useRef(0);
  useEffect(() => () => void choice.current++, []);
  const choose = async (delimiter: string) => {
    choice.current += 1;
    const own = choice.current;
    setReading(true);
    setProblem(null);
    try {
      const read = await readTable(table.file, delimiter);
      if (own === choice.current) onRead(read);
    } catch (error) {
      if (own === choice.current)
        setProblem(error instanceof UnreadableFile ? error.message : 'The file cannot be read.');
    }
    if (own === choice.current) setReading(false);
  };
  return (
    <Field
      name="delimiter"
      label="Columns are separated by"
      {...(problem && { errors: { delimiter: [problem] } })}
    >
      <Select
        className="w-full sm:w-72"
        value={table.delimiter}
        aria-busy={isReading}
        onChange={({ target }) => void choose(target.value)}
      >
        {[...new Set([...DELIMITERS, table.delimiter])].map((delimiter) => (
          <option key={delimiter} value={delimiter}>
            {NAMES[delimiter] ?? delimiter}
          </option>
        ))}
      </Select>
    </Field>
  );
}
