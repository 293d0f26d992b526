import { isOn, stringList } from '../../fields/options.ts';
import { isJsonObject, type JsonValue, type Property } from '../../fields/property.ts';
import { canonicalTypeName, NUMBER_TYPES } from '../../fields/type-names.ts';
import { Checkbox, Switch } from '../ui/checkbox.tsx';
import { Field } from '../ui/field.tsx';
import { Input, Select, Textarea } from '../ui/input.tsx';
import { OrderInput } from '../ui/order-input.tsx';
import { optionName, optionsOf } from './choice-list.ts';
import { MatrixRows } from './matrix-rows.tsx';

interface PrefillProps {
  block: Property;
  label: string;
  isOff: boolean;
  onChange(value: JsonValue | undefined): void;
}

/** The initial value of a field, entered like its answers. */
export function PrefillInput({ block, label, isOff, onChange }: PrefillProps) {
  const type = canonicalTypeName(block.type);
  const value = block.prefill;
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  if (type === 'checkbox')
    return (
      <Switch
        label="Ticked at first"
        checked={isOn(value)}
        disabled={isOff}
        onChange={(event) => onChange(event.target.checked || undefined)}
      />
    );
  if (type === 'multi_select') {
    const chosen = stringList(value);
    const set = (next: string[]) => onChange(next.length > 0 ? next : undefined);
    return (
      <fieldset className="grid max-h-48 gap-2 overflow-y-auto">
        <legend className="mb-1.5 font-medium">{label}</legend>
        {[...new Set(optionsOf(block).map(optionName))].map((name) => (
          <Checkbox
            key={name}
            label={<bdi>{name}</bdi>}
            checked={chosen.includes(name)}
            disabled={isOff}
            onChange={(event) =>
              set(event.target.checked ? [...chosen, name] : chosen.filter((other) => other !== name))
            }
          />
        ))}
      </fieldset>
    );
  }
  if (type === 'ranking')
    return (
      <OrderInput
        label={label}
        names={[...new Set(optionsOf(block).map(optionName))]}
        value={stringList(value)}
        none="Nothing"
        isOff={isOff}
        onChange={(order) => onChange(order.length > 0 ? order : undefined)}
      />
    );
  if (type === 'matrix')
    return <MatrixPrefill block={block} label={label} isOff={isOff} onChange={onChange} />;
  return (
    <Field name="prefill" label={label}>
      {type === 'select' ? (
        <Select
          className="w-full"
          disabled={isOff}
          value={text}
          onChange={(event) => onChange(event.target.value || undefined)}
        >
          <option value="">Nothing</option>
          {[...new Set([...optionsOf(block).map(optionName), text])]
            .filter((name) => name !== '')
            .map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
        </Select>
      ) : isOn(block.multi_lines) || type === 'rich_text' ? (
        <Textarea
          rows={3}
          readOnly={isOff}
          value={text}
          onChange={(event) => onChange(event.target.value || undefined)}
        />
      ) : NUMBER_TYPES.includes(type) ? (
        <Input
          type="number"
          step="any"
          readOnly={isOff}
          value={text}
          onChange={(event) => onChange(event.target.value === '' ? undefined : Number(event.target.value))}
        />
      ) : (
        <Input
          type={type === 'date' && !isOn(block.date_range) && !isOn(block.with_time) ? 'date' : 'text'}
          readOnly={isOff}
          value={text}
          onChange={(event) => onChange(event.target.value || undefined)}
        />
      )}
    </Field>
  );
}

function MatrixPrefill({ block, label, isOff, onChange }: PrefillProps) {
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-1.5 font-medium">{label}</legend>
      <MatrixRows
        rows={[...new Set(stringList(block.rows))]}
        columns={stringList(block.columns)}
        value={isJsonObject(block.prefill) ? block.prefill : {}}
        none="Nothing"
        isOff={isOff}
        onChange={(chosen) => onChange(Object.keys(chosen).length > 0 ? (chosen as JsonValue) : undefined)}
      />
    </fieldset>
  );
}
