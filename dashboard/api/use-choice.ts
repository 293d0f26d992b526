import { useRef, useState } from 'react';
import { useAction } from './use-action.ts';

/** As for actions: the result is the choice that was saved last, the input what was chosen before. */
type ChoiceOptions<Choice> = Omit<
  NonNullable<Parameters<typeof useAction<Choice, Choice>>[1]>,
  'isMeantEachTime'
>;

/**
 * A choice that is saved at once and may be changed meanwhile: the last one is then saved as well, also when the screen was left, or
 * when the one before it could not be saved.
 * @param stored what is shown while nothing is being saved
 */
export function useChoice<Choice>(
  stored: Choice,
  save: (choice: Choice) => Promise<unknown>,
  options: ChoiceOptions<Choice> = {},
) {
  const [chosen, setChosen] = useState(stored);
  const last = useRef(stored);
  const isSaving = useRef(false);
  const saving = useAction(
    async (_before: Choice) => {
      isSaving.current = true;
      try {
        for (;;) {
          const choice = last.current;
          try {
            await save(choice);
          } catch (error) {
            if (choice === last.current) throw error;
          }
          if (choice === last.current) return choice;
        }
      } finally {
        isSaving.current = false;
      }
    },
    // While queries are loaded again, the next choice need not wait.
    { ...options, isMeantEachTime: true },
  );
  return {
    value: saving.isRunning ? chosen : stored,
    choose(choice: Choice) {
      last.current = choice;
      setChosen(choice);
      if (!isSaving.current) saving.run(stored);
    },
  };
}
