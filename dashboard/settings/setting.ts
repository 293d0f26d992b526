import type { Body } from '../api/client.ts';
import type { Form } from '../api/queries.ts';

/** What a form can be told about itself; its questions are the builder's. */
export type SettingKey = Exclude<keyof Body<'/open/forms/{form}', 'put'>, 'properties'>;
/** Settings by their keys, as the form has them or as somebody wants them. */
export type Values = Pick<Form, SettingKey>;

interface Base {
  key: SettingKey;
  /** A member of an object, such as `page_title` of `seo_meta`. */
  member?: string;
  label: string;
  hint?: string;
  /** Shown only where it means something. */
  when?: (values: Values) => boolean;
  /** Only admins may change it, and why. */
  adminsOnly?: string;
}

/** One thing to set, and how: everything a screen needs to know of it. */
export type Setting = Base &
  (
    | { kind: 'text'; maxLength: number; placeholder?: string; isRequired?: boolean; isCode?: boolean }
    | { kind: 'long'; maxLength: number; rows?: number; isCode?: boolean }
    | { kind: 'picture'; maxLength: number }
    | { kind: 'switch' }
    | { kind: 'choice'; options: readonly (readonly [value: string, name: string])[]; nullName?: string }
    | { kind: 'number'; min: number; max: number; placeholder?: string }
    | { kind: 'range'; min: number; max: number; unit: string; usual: number }
    | { kind: 'moment' }
    | { kind: 'color' }
    | { kind: 'own'; part: OwnPart }
  );

/** Settings that need a control made for them. */
export type OwnPart =
  | 'state'
  | 'password'
  | 'retention'
  | 'tags'
  | 'calculations'
  | 'focal-point'
  | 'record-fields'
  | 'rich-text'
  | 'thank-you'
  | 'redirect'
  | 'results'
  | 'translations';

export interface SettingGroup {
  title: string;
  description?: string;
  settings: readonly Setting[];
}

/** The key of a setting in a 422, and the name of its input. */
export function nameOf({ key, member }: Pick<Base, 'key' | 'member'>): string {
  return member === undefined ? key : `${key}.${member}`;
}

export function settingValue(values: Values, { key, member }: Pick<Base, 'key' | 'member'>): unknown {
  const value: unknown = values[key];
  return member === undefined ? value : (value as Record<string, unknown> | null)?.[member];
}

/** The value of the whole key once this setting is another; a member that is null is left out. */
export function withValue(
  values: Values,
  { key, member }: Pick<Base, 'key' | 'member'>,
  value: unknown,
): unknown {
  if (member === undefined) return value;
  const { [member]: _, ...others } = (values[key] ?? {}) as Record<string, unknown>;
  return value === null || value === undefined ? others : { ...others, [member]: value };
}
