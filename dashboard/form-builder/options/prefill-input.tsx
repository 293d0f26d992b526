import { isOn, stringList } from '../../../fields/block-options/options.ts';
import { withChosen } from '../../../fields/choices/exclusive-options.ts';
import { isJsonObject, type JsonValue, type Property } from '../../../fields/property.ts';
import { canonicalTypeName, NUMBER_TYPES } from '../../../fields/type-names.ts';
import { Switch } from '../../ui/checkbox.tsx';
import { Field } from '../../ui/field.tsx';
import { Input, Select, Textarea } from '../../ui/input.tsx';
import { OrderInput } from '../../ui/order-input.tsx';
import { ChoiceChecks } from '../lists/choice-checks.tsx';
import { optionName, optionsOf } from '../lists/choice-list.ts';
import { MatrixRows } from '../lists/matrix-rows.tsx';

interface PrefillProps {
  block: Property;
  label: string;
  isOff: boolean;
  onChange(value: JsonValue | undefined): void;
}

/** The initial value of a field, entered like its answers. */
export function PrefillInput(props: PrefillProps) {
  const { block, label, isOff, onChange } = props;
  switch (canonicalTypeName(block.type)) {
    case 'checkbox':
      return (
        <Switch
          label="Ticked at first"
          checked={isOn(block.prefill)}
          disabled={isOff}
          onChange={(event) => onChange(event.target.checked || undefined)}
        />
      );
    case 'multi_select':
      return <ChoicesPrefill {...props} />;
    case 'ranking':
      return (
        <OrderInput
          label={label}
          names={distinctOptions(block)}
          value={stringList(block.prefill)}
          none="Nothing"
          isOff={isOff}
          onChange={(order) => onChange(order.length > 0 ? order : undefined)}
        />
      );
    case 'matrix':
      return <MatrixPrefill {...props} />;
    default:
      return (
        <Field name="prefill" label={label}>
          <PlainPrefill {...props} />
        </Field>
      );
  }
}

function distinctOptions(block: Property): string[] {
  return [...new Set(optionsOf(block).map(optionName))];
}

function ChoicesPrefill({ block, label, isOff, onChange }: PrefillProps) {
  const chosen = stringList(block.prefill);
  const set = (next: string[]) => onChange(next.length > 0 ? next : undefined);
  return (
    <fieldset className="grid max-h-48 gap-2 overflow-y-auto">
      <legend className="mb-1.5 font-medium">{label}</legend>
      <ChoiceChecks
        names={distinctOptions(block)}
        chosen={chosen}
        isOff={isOff}
        onToggle={(name, isChosen) =>
          set(isChosen ? withChosen(block, chosen, name) : chosen.filter((other) => other !== name))
        }
      />
    </fieldset>
  );
}

function PlainPrefill({ block, isOff, onChange }: Omit<PrefillProps, 'label'>) {
  const { prefill } = block;
  const type = canonicalTypeName(block.type);
  const text = typeof prefill === 'string' || typeof prefill === 'number' ? String(prefill) : '';
  if (type === 'select')
    return (
      <Select
        className="w-full"
        disabled={isOff}
        value={text}
        onChange={(event) => onChange(event.target.value || undefined)}
      >
        <option value="">Nothing</option>
        {[...new Set([...distinctOptions(block), text])]
          .filter((name) => name !== '')
          .map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
      </Select>
    );
  if (isOn(block.multi_lines) || type === 'rich_text')
    return (
      <Textarea
        rows={3}
        readOnly={isOff}
        value={text}
        onChange={(event) => onChange(event.target.value || undefined)}
      />
    );
  if (NUMBER_TYPES.includes(type))
    return (
      <Input
        type="number"
        step="any"
        readOnly={isOff}
        value={text}
        onChange={(event) => onChange(event.target.value === '' ? undefined : Number(event.target.value))}
      />
    );
  const isDay = type === 'date' && !isOn(block.date_range) && !isOn(block.with_time);
  return (
    <Input
      type={isDay ? 'date' : 'text'}
      readOnly={isOff}
      value={text}
      onChange={(event) => onChange(event.target.value || undefined)}
    />
  );
}

function MatrixPrefill({ block, label, isOff, onChange }: PrefillProps) {
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-1.5 font-medium">{label}</legend>
      <MatrixRows
        rows={stringList(block.rows)}
        columns={stringList(block.columns)}
        value={isJsonObject(block.prefill) ? block.prefill : {}}
        none="Nothing"
        isOff={isOff}
        onChange={(chosen) => onChange(Object.keys(chosen).length > 0 ? (chosen as JsonValue) : undefined)}
      />
    </fieldset>
  );
}
