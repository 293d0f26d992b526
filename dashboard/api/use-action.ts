import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { showToast } from '../ui/toasts.tsx';
import { ApiError, type Errors } from './client.ts';

const NO_ERRORS: Errors = {};

interface ActionOptions<Input, Result> {
  /** Queries that are asked again before `onDone`; a key stands for everything below it. */
  refresh?: QueryKey[];
  /** They are asked after a failure too: an answer that was lost may have been a yes, and what is gone is not shown for long. */
  refreshesAnyway?: boolean;
  /** Told when it is done. */
  toast?: string | ((result: Result, input: Input) => string);
  onDone?: (result: Result, input: Input) => unknown;
  /** Called while it is under way, it is about something else, and happens too: several toasts may offer the same. */
  isMeantEachTime?: boolean;
}

export interface Action<Input> {
  /** Nothing while it is under way, unless it is meant each time: whoever presses twice means it once. */
  run(input: Input): void;
  isRunning: boolean;
  /** What a 422 said, by key: for the fields of a form. */
  errors: Errors;
  /** Forgets the errors; nothing while it is under way. */
  reset(): void;
}

/**
 * Something that changes data. Problems that belong to a field are in `errors`; all others are told in a toast, and these, too,
 * where nobody reads `errors`: so no call fails unseen. A dialog that shows them keeps its action inside, or is held open
 * while it runs: a screen that stays does not know that they are seen no more.
 */
export function useAction<Input = void, Result = unknown>(
  act: (input: Input) => Promise<Result>,
  {
    refresh = [],
    refreshesAnyway = false,
    toast,
    onDone,
    isMeantEachTime = false,
  }: ActionOptions<Input, Result> = {},
): Action<Input> {
  const client = useQueryClient();
  const showsErrors = useRef(false);
  /** Known at once, unlike `isPending`, which the next rendering knows. */
  const isUnderWay = useRef(false);
  const askAgain = () => Promise.all(refresh.map((queryKey) => client.invalidateQueries({ queryKey })));
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: act,
    async onSuccess(result, input) {
      await askAgain();
      if (toast) showToast({ text: typeof toast === 'function' ? toast(result, input) : toast });
      await onDone?.(result, input);
    },
    onError(problem) {
      const isAboutFields = problem instanceof ApiError && Object.keys(problem.errors).length > 0;
      if (!isAboutFields || !showsErrors.current) showToast({ text: problem.message, tone: 'bad' });
      if (refreshesAnyway && !(isAboutFields && showsErrors.current)) void askAgain();
    },
    onSettled() {
      isUnderWay.current = false;
    },
  });
  useEffect(
    () => () => {
      // Whoever has left sees no field any more.
      showsErrors.current = false;
    },
    [],
  );
  return {
    run(input) {
      if (isUnderWay.current && !isMeantEachTime) return;
      isUnderWay.current = true;
      mutate(input);
    },
    isRunning: isPending,
    get errors() {
      showsErrors.current = true;
      return error instanceof ApiError ? error.errors : NO_ERRORS;
    },
    reset() {
      // What is under way goes on: forgotten, it would come twice.
      if (!isUnderWay.current) reset();
    },
  };
}
