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
