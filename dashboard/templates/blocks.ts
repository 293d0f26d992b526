import type { Condition, JsonValue, Property } from '../../fields/property.ts';

// Helpers for templates. Their ids are short names; a form made from a template gets new ids.

type Options = Record<string, JsonValue>;

/** An optional field; `must` makes a required one. */
export function ask(id: string, type: string, name: string, options: Options = {}): Property {
  return { id, type, name, hidden: false, required: false, ...options };
}

export function must(id: string, type: string, name: string, options: Options = {}): Property {
  return ask(id, type, name, { ...options, required: true });
}

/** The options of a choice. */
export function of(type: 'select' | 'multi_select' | 'ranking', ...names: string[]): Options {
  return { [type]: { options: names.map((name, index) => ({ id: `${index + 1}`, name })) } };
}

/** Options that are all visible. */
export function radios(...names: string[]): Options {
  return { ...of('select', ...names), without_dropdown: true };
}

/** Questions that are asked for each of several entries. */
export function repeated(id: string, name: string, entryName: string, questions: Property[]): Property {
  const asked = questions.map(({ hidden: _, ...question }) => question);
  return ask(id, 'repeat', name, { entry_name: entryName, questions: asked as JsonValue[] });
}

export function text(id: string, content: string): Property {
  return { id, type: 'nf-text', name: 'Text', content };
}

export function page(id: string, next?: string): Property {
  return { id, type: 'nf-page-break', name: 'Page', ...(next !== undefined && { next_btn_text: next }) };
}

/** Shown only if this condition is met. */
export function when(condition: Condition, block: Property): Property {
  return {
    ...block,
    hidden: true,
    logic: { conditions: { operatorIdentifier: 'and', children: [condition] }, actions: ['show-block'] },
  };
}

export function is(id: string, type: string, value: JsonValue, operator = 'equals'): Condition {
  return { identifier: id, value: { operator, property_meta: { id, type }, value } };
}

export const HALF: Options = { width: '1/2' };
export const LONG: Options = { multi_lines: true };
