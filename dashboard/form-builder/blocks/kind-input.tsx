import type { Property } from '../../../fields/property.ts';
import { Field } from '../../ui/field.tsx';
import { Select } from '../../ui/input.tsx';
import { useBuilder } from '../builder-context.ts';
import { turnBlock } from './block-actions.ts';
import { GROUPS, kindOf } from './kinds.ts';
import { QUESTION_KINDS } from './turn-into.ts';

/** The kind of a question, as a select to change it. */
export function KindInput({ block }: { block: Property }) {
  const builder = useBuilder();
  const { refusal, holdsFiles, hasAnswers } = builder;
  const current = kindOf(block);
  const isHeld = holdsFiles(block.id);
  const hint = isHeld
    ? 'Another type would have no place for files. Delete this and add another: what was uploaded stays with the responses.'
    : hasAnswers && 'Answers that were given stay as they are.';
  return (
    <Field name="type" label="Type" hint={hint}>
      <Select
        className="w-full"
        disabled={refusal !== null || isHeld}
        value={current?.key ?? ''}
        onChange={(event) => {
          const kind = QUESTION_KINDS.find(({ key }) => key === event.target.value);
          if (kind) turnBlock(builder, block, kind);
        }}
      >
        {!current && <option value="">{block.type}</option>}
        {GROUPS.map((group) => ({ group, kinds: QUESTION_KINDS.filter((kind) => kind.group === group) }))
          .filter(({ kinds }) => kinds.length > 0)
          .map(({ group, kinds }) => (
            <optgroup key={group} label={group}>
              {kinds.map(({ key, label }) => (
                <option key={key} value={key}>
                  {label}
                </option>
              ))}
            </optgroup>
          ))}
      </Select>
    </Field>
  );
}
