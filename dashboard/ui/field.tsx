import { createContext, type ReactNode, useContext, useId } from 'react';
import { ownMember } from '../../fields/property.ts';
import type { Errors } from '../api/client.ts';
import { classes } from '../lib/classes.ts';

interface FieldState {
  id: string;
  name: string;
  'aria-describedby': string | undefined;
  'aria-invalid': true | undefined;
}

const FieldContext = createContext<FieldState | null>(null);

interface FieldProps {
  /** Key in the request: names the input, and finds its problems in `errors`. */
  name: string;
  label: ReactNode;
  hint?: ReactNode;
  /** Errors of the last 422. */
  errors?: Errors;
  /** The label is read out, not shown. */
  isLabelHidden?: boolean;
  className?: string;
  children: ReactNode;
}

/** An input with label, hint and problems. The input inside gets its id and name from here. */
export function Field({
  name,
  label,
  hint,
  errors = {},
  isLabelHidden = false,
  className,
  children,
}: FieldProps) {
  const id = useId();
  const problems = ownMember(errors, name) ?? [];
  const described = [hint && `${id}-hint`, problems.length > 0 && `${id}-problem`].filter(Boolean);
  const state: FieldState = {
    id,
    name,
    'aria-describedby': described.join(' ') || undefined,
    'aria-invalid': problems.length > 0 || undefined,
  };
  return (
    <FieldContext value={state}>
      <div className={classes('grid grid-cols-1 gap-1.5', className)}>
        <label htmlFor={id} className={isLabelHidden ? 'sr-only' : 'font-medium'}>
          {label}
        </label>
        {children}
        {hint && (
          <p id={`${id}-hint`} className="text-[0.8125rem] text-muted">
            {hint}
          </p>
        )}
        {problems.length > 0 && (
          <p id={`${id}-problem`} role="alert" className="text-[0.8125rem] text-bad">
            {problems.join(' ')}
          </p>
        )}
      </div>
    </FieldContext>
  );
}

/** Properties for an input from the field around it; empty outside of one. */
export function useFieldProps(): Partial<FieldState> {
  return useContext(FieldContext) ?? {};
}
