import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { presentPlace } from '../lib/place.ts';
import { isAskedWhetherToLeave } from '../lib/unsaved.ts';
import { showToast } from '../ui/toasts.tsx';
import { ApiError, type Errors } from './client.ts';

const NO_ERRORS: Errors = {};

interface ActionOptions<Input, Result> {
  /** Queries to load again before what follows; a key includes all keys below it. */
  refresh?: QueryKey[];
  /**
   * Load them again after a failure too: the action may have succeeded although its response was lost, and the data may be gone.
   */
  refreshesAnyway?: boolean;
  /** Message shown on success. */
  toast?: string | ((result: Result, input: Input) => string);
  /**
   * Goes on to another screen, before `onDone`. Not called for anybody who has gone on from where the action began, or
   * is about to.
   */
  leadsTo?: (result: Result, input: Input) => unknown;
  onDone?: (result: Result, input: Input) => unknown;
  /** A call during another one is about something else and is made too, as several toasts may offer the same action. */
  isMeantEachTime?: boolean;
}

interface Action<Input> {
  /** Ignored while running, unless `isMeantEachTime`, so that a double click acts once. */
  run(input: Input): void;
  isRunning: boolean;
  /** Messages of a 422 by key, for the fields of a form. */
  errors: Errors;
  /** Clears the errors; does nothing while running. */
  reset(): void;
}

/**
 * An action that changes data. Problems with fields are in `errors`; all others are shown in a toast, as are problems with fields
 * if nobody reads `errors`, so no failure goes unseen. A dialog that shows errors must contain its action or stay open while it
 * runs, because a screen that stays mounted cannot know that they are no longer visible.
 */
export function useAction<Input = void, Result = unknown>(
  act: (input: Input) => Promise<Result>,
  {
    refresh = [],
    refreshesAnyway = false,
    toast,
    leadsTo,
    onDone,
    isMeantEachTime = false,
  }: ActionOptions<Input, Result> = {},
): Action<Input> {
  const client = useQueryClient();
  const showsErrors = useRef(false);
  /** Set at once, while `isPending` changes with the next rendering. */
  const isUnderWay = useRef(false);
  const askAgain = () => Promise.all(refresh.map((queryKey) => client.invalidateQueries({ queryKey })));
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: act,
    onMutate: presentPlace,
    async onSuccess(result, input, place) {
      await askAgain();
      if (toast) showToast({ text: typeof toast === 'function' ? toast(result, input) : toast });
      if (presentPlace() === place && !isAskedWhetherToLeave()) await leadsTo?.(result, input);
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
      // After unmounting nobody sees the fields.
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
      // A running call goes on: if it were forgotten, it could be made twice.
      if (!isUnderWay.current) reset();
    },
  };
}
