import type { Property } from '../../fields/property.ts';

/** The part of a form that the builder changes. A form's settings are changed elsewhere, immediately. */
export interface Definition {
  title: string;
  description: string | null;
  submit_button_text: string | null;
  properties: readonly Property[];
  /** What else the draft changes, by programs: kept, undone and published with the rest. Missing if there is nothing. */
  others?: Readonly<Record<string, unknown>>;
}

/** The same definition if it has none. */
export function withoutOthers(definition: Definition): Definition {
  const { others, ...shown } = definition;
  return others ? shown : definition;
}

/** Whether it sets a password, known to its draft alone: if that is discarded, the password is gone. */
export function setsPassword({ others }: Definition): boolean {
  return typeof others?.password === 'string';
}

export function withOthers(definition: Definition, others: Definition['others'] = {}): Definition {
  const shown = withoutOthers(definition);
  return Object.keys(others).length > 0 ? { ...shown, others } : shown;
}
