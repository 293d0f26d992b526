import { NO_ENDING } from '../../../fields/logic/endings.ts';
import { Select } from '../../ui/input.tsx';
import { distinctName, type ReachedEnding } from './endings.ts';

interface EndingFilterProps {
  /** Id of an ending, or `NO_ENDING`; undefined for all responses. */
  value: string | undefined;
  endings: readonly ReachedEnding[];
  onChange(ending: string | undefined): void;
}

/** Which ending the shown responses have reached; nothing where the form never had one. */
export function EndingFilter({ value, endings, onChange }: EndingFilterProps) {
  if (endings.length === 0 && value === undefined) return null;
  const isUnknown = value !== undefined && value !== NO_ENDING && endings.every(({ id }) => id !== value);
  const all = isUnknown ? [...endings, { id: value, name: null }] : endings;
  return (
    <Select
      aria-label="Ending"
      className="min-w-28 flex-1 sm:w-auto sm:max-w-48 sm:flex-none"
      value={value ?? ''}
      onChange={(event) => onChange(event.target.value || undefined)}
    >
      <option value="">Any ending</option>
      {all.map((ending) => (
        <option key={ending.id} value={ending.id}>
          {distinctName(ending, all)}
        </option>
      ))}
      <option value={NO_ENDING}>No ending</option>
    </Select>
  );
}
