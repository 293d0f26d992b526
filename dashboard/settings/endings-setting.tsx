import { Plus } from 'lucide-react';
import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { Ending } from '../../fields/logic/endings.ts';
import { newCondition, newGroup } from '../form-builder/logic/condition-tree.ts';
import { askable } from '../form-builder/logic/logic-words.ts';
import { newId } from '../form-builder/new-id.ts';
import { useOwnToasts } from '../form-builder/use-own-toasts.ts';
import { Button } from '../ui/button.tsx';
import { EndingCard } from './ending-card.tsx';
import type { OwnSettingProps } from './own-setting-props.ts';
import { Problems } from './problems.tsx';
import { fieldsIn } from './thank-you-settings.tsx';

const UNCHANGEABLE = 'You cannot change this.';
/** Of a form. */
const MAX_ENDINGS = 50;

/** Other texts and addresses after sending, each for some answers. */
export function EndingsSetting({ setting, changes, isDisabled }: OwnSettingProps) {
  const { errors } = changes;
  const endings = changes.values.endings as Ending[];
  const refusal = isDisabled ? UNCHANGEABLE : null;
  const box = useRef<HTMLDivElement>(null);
  const [said, say] = useState('');
  const fields = fieldsIn(changes);
  const asked = askable(fields);
  const [first] = asked;
  const set = (next: readonly Ending[]) => changes.change(setting, next);
  const showOwnToast = useOwnToasts();
  /** What Undo finds once others were changed, or all were saved. */
  const latest = useRef({ endings, set });
  latest.current = { endings, set };
  const replace = (id: string, part: Partial<Ending>) =>
    set(endings.map((one) => (one.id === id ? { ...one, ...part } : one)));
  const add = () => {
    if (!first) return;
    const conditions = newGroup([newCondition(first)]);
    const ending = { id: newId(), name: '', conditions, submitted_text: null, redirect_url: null };
    flushSync(() => set([...endings, ending]));
    box.current?.querySelector<HTMLElement>('[data-ending]:last-of-type input')?.focus();
  };
  const move = (ending: Ending, index: number, steps: -1 | 1) => {
    flushSync(() => {
      set(endings.toSpliced(index, 1).toSpliced(index + steps, 0, ending));
      say(`${ending.name || 'The ending'} is now ${index + steps + 1} of ${endings.length}.`);
    });
    // A moved element loses the focus.
    box.current
      ?.querySelector<HTMLElement>(`[data-ending="${CSS.escape(ending.id)}"] [data-steps="${steps}"]`)
      ?.focus();
  };
  const bringBack = (ending: Ending, at: number) => {
    const now = latest.current;
    if (!now.endings.some(({ id }) => id === ending.id)) now.set(now.endings.toSpliced(at, 0, ending));
  };
  const remove = (ending: Ending, at: number) => {
    set(endings.filter(({ id }) => id !== ending.id));
    box.current?.querySelector<HTMLElement>('[data-add]')?.focus();
    showOwnToast({ text: `${ending.name || 'The ending'} was removed.`, undo: () => bringBack(ending, at) });
  };
  return (
    <div ref={box} className="grid grid-cols-1 gap-3">
      {endings.map((ending, index) => (
        <EndingCard
          key={ending.id}
          ending={ending}
          index={index}
          isLast={index === endings.length - 1}
          fields={fields}
          asked={asked}
          errors={errors}
          refusal={refusal}
          onChange={(part) => replace(ending.id, part)}
          onMove={(steps) => move(ending, index, steps)}
          onRemove={() => remove(ending, index)}
        />
      ))}
      <Problems texts={errors.endings ?? []} />
      <Button
        size="sm"
        data-add
        className="justify-self-start"
        icon={<Plus className="size-4" />}
        disabledReason={refusal ?? whyNoMore(first !== undefined, endings.length)}
        onClick={add}
      >
        Add an ending
      </Button>
      <p aria-live="polite" className="sr-only">
        {said}
      </p>
    </div>
  );
}

function whyNoMore(asksAnything: boolean, count: number): string | null {
  if (!asksAnything) return 'No question of the form is published yet.';
  return count >= MAX_ENDINGS ? `A form has at most ${MAX_ENDINGS} endings.` : null;
}
