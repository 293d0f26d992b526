import { useState } from 'react';
import type { Errors } from '../api/client.ts';
import type { FormInput } from './imported.ts';
import type { ReadSource } from './read-source.ts';
import { ResultStep } from './result-step.tsx';
import { SourceStep } from './source-step.tsx';

interface FromProductProps {
  /** Makes the form. */
  onCreate(form: FormInput): void;
  onClose(): void;
  isRunning: boolean;
  /** Of the last try. */
  errors: Errors;
}

/** A form of another product: chosen or pasted, looked at, made. */
export function FromProduct({ onCreate, onClose, isRunning, errors }: FromProductProps) {
  const [source, setSource] = useState<ReadSource | null>(null);
  const [isBack, setBack] = useState(false);
  if (source === null) return <SourceStep takesFocus={isBack} onRead={setSource} onClose={onClose} />;
  return (
    <ResultStep
      source={source}
      onBack={() => {
        setSource(null);
        setBack(true);
      }}
      onCreate={onCreate}
      isRunning={isRunning}
      errors={errors}
    />
  );
}
