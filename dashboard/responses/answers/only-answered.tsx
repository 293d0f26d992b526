import { useState } from 'react';
import { keep, readKept } from '../../lib/kept.ts';
import { Checkbox } from '../../ui/checkbox.tsx';

const NAME = 'formstead-only-answered';

interface OnlyAnswered {
  isOn: boolean;
  set(isOn: boolean): void;
}

/** Whether responses are shown without unanswered questions; stored in this browser. */
export function useOnlyAnswered(): OnlyAnswered {
  const [isOn, setOn] = useState(() => readKept(NAME) === true);
  return {
    isOn,
    set(next) {
      setOn(next);
      keep(NAME, next || null);
    },
  };
}

export function OnlyAnsweredBox({ onlyAnswered }: { onlyAnswered: OnlyAnswered }) {
  return (
    <Checkbox
      label="Only what was answered"
      checked={onlyAnswered.isOn}
      onChange={({ target }) => onlyAnswered.set(target.checked)}
    />
  );
}
