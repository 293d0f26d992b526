import { Checkbox } from '../../ui/checkbox.tsx';

interface ChoiceChecksProps {
  names: readonly string[];
  chosen: readonly string[];
  isOff: boolean;
  onToggle(name: string, isChosen: boolean): void;
}

/** A box for each option. What is chosen although there is no such option stays in the list, so that it can be taken back. */
export function ChoiceChecks({ names, chosen, isOff, onToggle }: ChoiceChecksProps) {
  return [...new Set([...names, ...chosen])].map((name) => (
    <Checkbox
      key={name}
      label={<bdi>{names.includes(name) ? name : `${name} (no such option)`}</bdi>}
      checked={chosen.includes(name)}
      disabled={isOff}
      onChange={(event) => onToggle(name, event.target.checked)}
    />
  ));
}
