import { isLayoutBlock } from '../../fields/type-names.ts';
import { Checkbox } from '../ui/checkbox.tsx';
import type { OwnSettingProps } from './own-setting-props.ts';
import { Problems } from './problems.tsx';

/** Chooses questions, stored by id; null for none. */
export function RecordFields({ setting, changes, problems, isDisabled }: OwnSettingProps) {
  const chosen = changes.values.database_fields_update ?? [];
  const questions = changes.stored.properties.filter(({ type }) => !isLayoutBlock(String(type)));
  const toggle = (id: string, isOn: boolean) => {
    const next = isOn ? [...chosen, id] : chosen.filter((other) => other !== id);
    changes.change(setting, next.length > 0 ? next : null);
  };
  return (
    <fieldset className="grid grid-cols-1 gap-2">
      <legend className="mb-1.5 font-medium">{setting.label}</legend>
      {questions.length === 0 && <p className="text-muted">The form asks nothing yet.</p>}
      {questions.map(({ id, name }) => (
        <Checkbox
          key={String(id)}
          label={<bdi>{String(name)}</bdi>}
          checked={chosen.includes(String(id))}
          disabled={isDisabled}
          onChange={({ target }) => toggle(String(id), target.checked)}
        />
      ))}
      <Problems texts={problems} />
    </fieldset>
  );
}
