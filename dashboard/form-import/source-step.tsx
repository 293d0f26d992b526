import { type FormEvent, useEffect, useRef, useState } from 'react';
import { Button } from '../ui/button.tsx';
import { DialogActions } from '../ui/dialog-actions.tsx';
import { Field } from '../ui/field.tsx';
import { FileInput, Textarea } from '../ui/input.tsx';
import { UnreadableForm } from './imported.ts';
import type { ReadSource } from './read-source.ts';

interface SourceStepProps {
  /** Set when returning to this step, because the focused element is gone. */
  takesFocus: boolean;
  onRead(source: ReadSource): void;
  onClose(): void;
}

const FORM_FILES =
  '.json,.xlsx,.lss,application/json,application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

/** Where each product offers its forms. */
const WAYS: readonly (readonly [product: string, way: string])[] = [
  ['Typeform', 'the answer of GET https://api.typeform.com/forms/{id}'],
  ['Google Forms', 'the answer of GET https://forms.googleapis.com/v1/forms/{id}'],
  ['KoboToolbox, ODK', 'the XLSForm: Download XLS in the menu of the form'],
  ['LimeSurvey', 'Export → Survey structure (.lss)'],
  ['SurveyJS', 'what stands in the JSON Editor of the Creator'],
  ['Formbricks', 'the answer of GET /api/v1/management/surveys/{id}'],
  ['Tally', 'the answer of GET https://api.tally.so/forms/{id}'],
  ['Formstead', 'the answer of GET /open/forms/{id}'],
];

/** Asks for another product's form. Nothing leaves the browser before the form is created. */
export function SourceStep({ takesFocus, onRead, onClose }: SourceStepProps) {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (takesFocus) input.current?.focus();
  }, [takesFocus]);
  const [text, setText] = useState('');
  const [isReading, setReading] = useState(false);
  const [problem, setProblem] = useState<{ of: 'file' | 'text'; words: string } | null>(null);
  const read = async (of: 'file' | 'text', given: File | string) => {
    setReading(true);
    setProblem(null);
    try {
      const { readFile, readText } = await import('./read-source.ts');
      onRead(typeof given === 'string' ? readText(given) : await readFile(given));
    } catch (error) {
      const words = error instanceof UnreadableForm ? error.message : 'The form cannot be read.';
      setProblem({ of, words });
      setReading(false);
    }
  };
  const errorsOf = (of: 'file' | 'text') => (problem?.of === of ? { errors: { [of]: [problem.words] } } : {});
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void read('text', text);
  };
  return (
    <form className="grid grid-cols-1 gap-4" onSubmit={submit}>
      <Field
        name="file"
        label="File of the form"
        hint="JSON of Typeform, Google Forms, SurveyJS, Formbricks, Tally or Formstead; .xlsx of KoboToolbox or ODK; .lss of LimeSurvey."
        {...errorsOf('file')}
      >
        <FileInput ref={input} accept={FORM_FILES} onChoose={(file) => void read('file', file)} />
      </Field>
      <Field name="text" label="Or its JSON, pasted" {...errorsOf('text')}>
        <Textarea
          dir="ltr"
          rows={5}
          spellCheck={false}
          className="font-mono text-[0.8125rem]"
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
      </Field>
      <details className="text-[0.8125rem]">
        <summary className="cursor-pointer rounded font-medium">Where do I get it?</summary>
        <dl className="mt-2 grid gap-2 wrap-anywhere">
          {WAYS.map(([product, way]) => (
            <div key={product}>
              <dt className="font-medium">{product}</dt>
              <dd className="text-muted">{way}</dd>
            </div>
          ))}
        </dl>
      </details>
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button
          type="submit"
          look="primary"
          isRunning={isReading}
          disabledReason={text.trim() === '' ? 'Choose a file or paste the JSON first' : null}
        >
          Check form
        </Button>
      </DialogActions>
    </form>
  );
}
