import { useState } from 'react';
import type { Errors } from '../api/client.ts';
import type { FormInput } from './imported.ts';
import type { ReadSource } from './read-source.ts';
import { ResultStep } from './result-step.tsx';
import { SourceStep } from './source-step.tsx';

interface FromProductProps {
  /** Creates the form. */
  onCreate(form: FormInput): void;
  onClose(): void;
  isRunning: boolean;
  /** Errors of the last attempt. */
  errors: Errors;
}

/** Imports a form from another product: choose or paste it, check it, create it. */
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
