import type { Body } from '../api/client.ts';
import type { Form, User } from '../api/queries.ts';

/** Keys of a form's settings; its questions belong to the builder. */
export type SettingKey = Exclude<keyof Body<'/open/forms/{form}', 'put'>, 'properties'>;
/** Settings by key, stored or edited. */
export type Values = Pick<Form, SettingKey>;

interface Base {
  key: SettingKey;
  /** A member of an object, such as `page_title` of `seo_meta`. */
  member?: string;
  label: string;
  hint?: string;
  /** Whether it is shown; hidden where it has no meaning. */
  when?: (values: Values) => boolean;
  /** Why only admins may change it, if that is so. */
  adminsOnly?: string;
  /** Why what is stored has no effect on this service; null if it has. */
  withoutEffect?: (stored: Form, user: User) => string | null;
}

/** The definition of one setting; all that a screen needs to show it. */
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

/** Settings with a control made for them. */
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
  | 'endings'
  | 'results'
  | 'confirmed-email'
  | 'translations';

export interface SettingGroup {
  title: string;
  description?: string;
  settings: readonly Setting[];
}

/** The setting's key in a 422, and its input's name. */
export function nameOf({ key, member }: Pick<Base, 'key' | 'member'>): string {
  return member === undefined ? key : `${key}.${member}`;
}

export function settingValue(values: Values, { key, member }: Pick<Base, 'key' | 'member'>): unknown {
  const value: unknown = values[key];
  return member === undefined ? value : (value as Record<string, unknown> | null)?.[member];
}

/** The value of the whole key after changing a setting; a null member is left out. */
export function withValue(
  values: Values,
  { key, member }: Pick<Base, 'key' | 'member'>,
  value: unknown,
): unknown {
  if (member === undefined) return value;
  const { [member]: _, ...others } = (values[key] ?? {}) as Record<string, unknown>;
  return value === null || value === undefined ? others : { ...others, [member]: value };
}
