import { useUser } from '../lib/workspace.ts';
import { PictureInput } from '../pictures/picture-input.tsx';
import { Switch } from '../ui/checkbox.tsx';
import { Field } from '../ui/field.tsx';
import { Input, Select, Textarea } from '../ui/input.tsx';
import { Notice } from '../ui/states.tsx';
import { ColorInput } from './color-input.tsx';
import { OwnSetting } from './own-setting.tsx';
import { Problems } from './problems.tsx';
import { nameOf, type Setting, settingValue } from './setting.ts';
import { type Changes, problemsOf } from './use-changes.ts';

interface SettingFieldProps {
  setting: Setting;
  changes: Changes;
  /** Why it cannot be changed; null if it can. */
  refusal: string | null;
}

/** The control of one setting, with its hint and its problems. */
export function SettingField({ setting, changes, refusal }: SettingFieldProps) {
  const { label, hint } = setting;
  const value = settingValue(changes.values, setting);
  const problems = problemsOf(changes.errors, setting);
  const isDisabled = refusal !== null;
  const set = (next: unknown) => changes.change(setting, next);
  if (setting.kind === 'switch')
    return (
      <div className="grid gap-1">
        <Switch
          name={nameOf(setting)}
          label={label}
          hint={hint}
          checked={value === true}
          disabled={isDisabled}
          onChange={(event) => set(event.target.checked)}
        />
        <Problems texts={problems} />
      </div>
    );
  if (setting.kind === 'own')
    return (
      <OwnSetting
        setting={setting}
        part={setting.part}
        changes={changes}
        problems={problems}
        isDisabled={isDisabled}
      />
    );
  const name = nameOf(setting);
  return (
    <Field
      name={name}
      label={label}
      hint={refusal && setting.adminsOnly ? `${hint ?? ''} ${refusal}` : hint}
      errors={problems.length > 0 ? { [name]: problems } : {}}
    >
      <Control setting={setting} value={value} isDisabled={isDisabled} onChange={set} />
      {setting.withoutEffect && <WithoutEffect tell={setting.withoutEffect} stored={changes.stored} />}
    </Field>
  );
}

interface WithoutEffectProps {
  tell: NonNullable<Setting['withoutEffect']>;
  stored: Changes['stored'];
}

/** Said when it was saved. */
function WithoutEffect({ tell, stored }: WithoutEffectProps) {
  const text = tell(stored, useUser());
  return <div role="status">{text !== null && <Notice tone="warn">{text}</Notice>}</div>;
}

interface ControlProps {
  setting: Exclude<Setting, { kind: 'switch' | 'own' }>;
  value: unknown;
  isDisabled: boolean;
  onChange(value: unknown): void;
}

function Control({ setting, value, isDisabled, onChange }: ControlProps) {
  const text = typeof value === 'string' ? value : '';
  switch (setting.kind) {
    case 'text':
      return (
        <Input
          value={text}
          maxLength={setting.maxLength}
          placeholder={setting.placeholder}
          disabled={isDisabled}
          required={setting.isRequired}
          {...(setting.isCode && CODE)}
          onChange={(event) => onChange(event.target.value || (setting.isRequired ? '' : null))}
        />
      );
    case 'picture':
      return (
        <PictureInput
          label={setting.label}
          value={text}
          maxLength={setting.maxLength}
          isOff={isDisabled}
          onChange={(address) => onChange(address || null)}
        />
      );
    case 'long':
      return (
        <Textarea
          value={text}
          rows={setting.rows ?? 4}
          maxLength={setting.maxLength}
          disabled={isDisabled}
          {...(setting.isCode && CODE)}
          onChange={(event) => onChange(event.target.value || null)}
        />
      );
    case 'choice':
      return (
        <Select
          value={text}
          className="w-full sm:w-72"
          disabled={isDisabled}
          onChange={(event) => onChange(event.target.value || null)}
        >
          {setting.nullName && <option value="">{setting.nullName}</option>}
          {setting.options.map(([option, name]) => (
            <option key={option} value={option}>
              {name}
            </option>
          ))}
        </Select>
      );
    case 'number':
      return (
        <Input
          type="number"
          inputMode="numeric"
          className="sm:w-48"
          min={setting.min}
          max={setting.max}
          step={1}
          value={typeof value === 'number' ? value : ''}
          placeholder={setting.placeholder}
          disabled={isDisabled}
          onChange={({ target }) => onChange(target.value === '' ? null : Number(target.value))}
        />
      );
    case 'range':
      return <Range setting={setting} value={value} isDisabled={isDisabled} onChange={onChange} />;
    case 'moment':
      return (
        <Input
          type="datetime-local"
          className="sm:w-64"
          value={typeof value === 'string' ? localMoment(value) : ''}
          disabled={isDisabled}
          onChange={({ target }) => onChange(target.value ? new Date(target.value).toISOString() : null)}
        />
      );
    case 'color':
      return <ColorInput value={text} isDisabled={isDisabled} onChange={onChange} />;
  }
}

const CODE = { dir: 'ltr', spellCheck: false, className: 'font-mono text-[0.8125rem]' } as const;

function Range({
  setting,
  value,
  isDisabled,
  onChange,
}: ControlProps & { setting: Extract<Setting, { kind: 'range' }> }) {
  const number = typeof value === 'number' ? value : setting.usual;
  return (
    <span className="flex items-center gap-3">
      <Input
        type="range"
        className="max-w-72 border-0 bg-transparent px-0 shadow-none accent-accent"
        min={setting.min}
        max={setting.max}
        value={number}
        disabled={isDisabled}
        onChange={({ target }) => onChange(Number(target.value))}
      />
      <output className="w-14 text-muted tabular-nums">
        {number}
        {setting.unit}
      </output>
    </span>
  );
}

/** The moment as an input in the browser's time zone takes it: `2026-12-31T23:59`. */
function localMoment(iso: string): string {
  const moment = new Date(iso);
  if (Number.isNaN(moment.getTime())) return '';
  const two = (part: number) => String(part).padStart(2, '0');
  // Built from local parts, because historical UTC offsets are no whole minutes.
  const day = `${String(moment.getFullYear()).padStart(4, '0')}-${two(moment.getMonth() + 1)}-${two(moment.getDate())}`;
  return `${day}T${two(moment.getHours())}:${two(moment.getMinutes())}`;
}
