import {
  createContext,
  type FormEvent,
  type ReactNode,
  useContext,
  useEffect,
  useRef,
  useState,
} from 'react';
import { useLeaving } from './use-leaving.tsx';

interface Typed {
  loss: string;
}

/** Notes that something is typed into a form; returns a function that takes it back. */
const NoteTyped = createContext<(typed: Typed) => () => void>(() => () => {});

/** Asks once, before the user leaves, for all forms within that something was typed into. */
export function TypedForms({ children }: { children: ReactNode }) {
  const [all, setAll] = useState<readonly Typed[]>([]);
  const note = useRef((typed: Typed) => {
    setAll((others) => [...others, typed]);
    return () => setAll((others) => others.filter((other) => other !== typed));
  });
  const { question } = useLeaving(all.length > 0, all.map(({ loss }) => loss).join(' '));
  return (
    <NoteTyped value={note.current}>
      {children}
      {question}
    </NoteTyped>
  );
}

/**
 * What is typed into a form within `TypedForms` is asked about until it is saved.
 * @param loss what would be lost, as a sentence
 */
export function useTypedForm(loss: string) {
  const note = useContext(NoteTyped);
  const [isTyped, setTyped] = useState(false);
  const inputs = useRef(0);
  useEffect(() => (isTyped ? note({ loss }) : undefined), [isTyped, loss, note]);
  return {
    /** For the form. What the browser fills in by itself was not typed. */
    onInput({ currentTarget, target }: FormEvent<HTMLFormElement>) {
      // A dialog opened from the form is no part of it.
      if (!(target instanceof Element && currentTarget.contains(target))) return;
      if (target.matches(':autofill')) return;
      inputs.current += 1;
      setTyped(true);
    },
    /** Around the call that saves: what is typed during it is not saved yet. */
    async saving<Result>(call: Promise<Result>): Promise<Result> {
      const before = inputs.current;
      const result = await call;
      if (inputs.current === before) setTyped(false);
      return result;
    },
  };
}
