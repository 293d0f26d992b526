import { useEffect, useRef, useState } from 'react';
import { Button } from '../ui/button.tsx';
import { DialogActions } from '../ui/dialog-actions.tsx';
import { Field } from '../ui/field.tsx';
import { FileInput } from '../ui/input.tsx';
import { Spinner } from '../ui/spinner.tsx';
import { readTable, type SourceTable } from './read-table.ts';
import { UnreadableFile } from './unreadable-file.ts';

const TABLES =
  '.csv,.tsv,.txt,.xlsx,text/csv,text/tab-separated-values,text/plain,application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

interface FileStepProps {
  onRead(table: SourceTable): void;
  onClose(): void;
}

/** Asks for the file and reads it. */
export function FileStep({ onRead, onClose }: FileStepProps) {
  const [isReading, setReading] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  // A later choice counts, even if an earlier file is read more slowly.
  const choice = useRef(0);
  useEffect(() => () => void choice.current++, []);
  const choose = async (file: File) => {
    choice.current += 1;
    const own = choice.current;
    setReading(true);
    setProblem(null);
    try {
      const read = await readTable(file);
      if (own === choice.current) onRead(read);
    } catch (error) {
      if (own !== choice.current) return;
      setProblem(error instanceof UnreadableFile ? error.message : 'The file cannot be read.');
      setReading(false);
    }
  };
  return (
    <div className="grid gap-4">
      <Field
        name="file"
        label="CSV, TSV or Excel file"
        hint="As Google Forms, Microsoft Forms, SurveyMonkey, Qualtrics, KoboToolbox, Typeform, Tally, OpnForm, Formbricks, LimeSurvey and Formstead export it: the first row names the columns, each further row is a response."
        {...(problem && { errors: { file: [problem] } })}
      >
        <FileInput accept={TABLES} onChoose={(file) => void choose(file)} />
      </Field>
      {isReading && (
        <p className="flex items-center gap-2 text-muted" aria-live="polite">
          <Spinner /> Reading the file …
        </p>
      )}
      <ul className="grid list-disc gap-1 ps-5 text-muted">
        <li>Nothing is stored before you have seen what fits.</li>
        <li>Nobody is told: no mails, no webhooks.</li>
        <li>Files and signatures cannot be imported.</li>
      </ul>
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
      </DialogActions>
    </div>
  );
}
