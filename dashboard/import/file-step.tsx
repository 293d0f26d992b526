import { useState } from 'react';
import { Button } from '../ui/button.tsx';
import { DialogActions } from '../ui/dialog.tsx';
import { Field, useFieldProps } from '../ui/field.tsx';
import { Spinner } from '../ui/spinner.tsx';
import { readTable, type SourceTable, UnreadableFile } from './read-table.ts';

interface FileStepProps {
  onRead(table: SourceTable): void;
  onClose(): void;
}

/** Asks for the file, and reads it. */
export function FileStep({ onRead, onClose }: FileStepProps) {
  const [isReading, setReading] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const choose = async (file: File | undefined) => {
    if (!file) return;
    setReading(true);
    setProblem(null);
    try {
      onRead(await readTable(file));
    } catch (error) {
      setProblem(error instanceof UnreadableFile ? error.message : 'The file cannot be read.');
      setReading(false);
    }
  };
  return (
    <div className="grid gap-4">
      <Field
        name="file"
        label="CSV or TSV file"
        hint="As Google Forms, Typeform, Tally, OpnForm, Formbricks, LimeSurvey and Formstead export it: the first row names the columns, each further row is a response."
        {...(problem && { errors: { file: [problem] } })}
      >
        <FileInput onChoose={(file) => void choose(file)} />
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

function FileInput({ onChoose }: { onChoose(file: File | undefined): void }) {
  return (
    <input
      type="file"
      accept=".csv,.tsv,.txt,text/csv,text/tab-separated-values,text/plain"
      {...useFieldProps()}
      className="w-full min-w-0 rounded-lg border border-dashed border-edge/70 bg-surface p-3 file:me-3 file:h-9 file:rounded-lg file:border file:border-solid file:border-line file:bg-surface file:px-3 file:font-medium file:text-ink hover:border-edge"
      onChange={({ target }) => {
        onChoose(target.files?.[0]);
        // The same file may be chosen again once it is mended.
        target.value = '';
      }}
    />
  );
}
