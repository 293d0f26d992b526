import type { Condition, JsonValue, Property } from '../../fields/property.ts';

// Short words for templates. Ids are short names here; whoever makes a form of a template gives it ids of its own.

type Options = Record<string, JsonValue>;

/** A field that may be left out; `must` makes one that may not. */
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

/** Options that are shown all at once. */
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

/** Shown only when this condition holds. */
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
