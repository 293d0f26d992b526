import { describe, expect, test } from 'vitest';
import type { Definition } from '../../dashboard/form-builder/definition.ts';
import {
  applyEdit,
  type BuilderState,
  type Edit,
  startBuilding,
} from '../../dashboard/form-builder/edits.ts';
import { offeredActions, withAction } from '../../dashboard/form-builder/logic/logic-actions.ts';
import { withNewIds } from '../../dashboard/form-builder/references.ts';
import { checkProperties } from '../../fields/check-properties.ts';
import type { Property } from '../../fields/property.ts';
import { serverEngines } from '../../fields/server-engines.ts';

const block = (id: string, more: Partial<Property> = {}): Property => ({
  id,
  type: 'text',
  name: id,
  ...more,
});

function form(...properties: Property[]): Definition {
  return { title: 'Form', description: null, submit_button_text: null, properties };
}

/** The state after these edits of a form with these blocks. */
function built(blocks: Property[], ...edits: Edit[]): BuilderState {
  return edits.reduce(applyEdit, startBuilding(form(...blocks)));
}

const ids = ({ now }: BuilderState) => now.properties.map(({ id }) => id).join('');
const asks = (id: string, value: unknown, operator = 'equals') => ({
  operatorIdentifier: 'and' as const,
  children: [
    { identifier: id, value: { operator, property_meta: { id, type: 'select' }, value: value as string } },
  ],
});
const topic = block('topic', {
  type: 'select',
  select: {
    options: [
      { id: '1', name: 'Sales' },
      { id: '2', name: 'Support' },
    ],
  },
});
const shown = block('order', {
  hidden: true,
  logic: { conditions: asks('topic', 'Support'), actions: ['show-block'] },
});

describe('blocks', () => {
  const [a, b, c] = [block('a'), block('b'), block('c')];

  test('are added where they are wanted, and selected', () => {
    expect(ids(built([a, b], { do: 'add', blocks: [c], at: 1 }))).toBe('acb');
    expect(ids(built([a, b], { do: 'add', blocks: [c], at: 99 }))).toBe('abc');
    expect(built([a], { do: 'add', blocks: [c], at: 0 }).selected).toBe('c');
  });

  test('are moved, never past the ends', () => {
    expect(ids(built([a, b, c], { do: 'move', id: 'a', to: 2 }))).toBe('bca');
    expect(ids(built([a, b, c], { do: 'move', id: 'c', to: 0 }))).toBe('cab');
    expect(ids(built([a, b, c], { do: 'move', id: 'a', to: 50 }))).toBe('bca');
    expect(built([a, b], { do: 'move', id: 'a', to: 0 }).past).toEqual([]);
    expect(built([a, b], { do: 'move', id: 'nobody', to: 0 }).past).toEqual([]);
  });

  test('are deleted, and no longer selected', () => {
    const state = built([a, b], { do: 'select', id: 'b' }, { do: 'remove', id: 'b' });
    expect(ids(state)).toBe('a');
    expect(state.selected).toBeNull();
  });

  test('a copy has rules about its own answer, and keeps those about others', () => {
    const picky = block('x', {
      logic: { conditions: asks('a', 'y'), actions: ['hide-block'] },
      validation: { error_conditions: { conditions: asks('x', '5') }, error_message: 'No' },
    });
    const { now } = built([a, picky], { do: 'duplicate', id: 'x', copyId: 'copy' });
    const copy = now.properties[2]!;
    expect(copy.id).toBe('copy');
    expect(JSON.stringify(copy.validation)).toContain('"identifier":"copy"');
    expect(JSON.stringify(copy.validation)).not.toContain('"x"');
    expect(copy.logic).toEqual(picky.logic);
  });

  test('what did not change is the same object', () => {
    const state = built([a, b], { do: 'change', id: 'a', members: { name: 'A' } });
    expect(state.now.properties[1]).toBe(b);
    expect(state.now.properties[0]).toEqual({ ...a, name: 'A' });
  });

  test('an option that is unset is gone', () => {
    const { now } = built([block('a', { help: 'Hm' })], {
      do: 'change',
      id: 'a',
      members: { help: undefined },
    });
    expect(now.properties[0]).toEqual(a);
  });
});

describe('undo and redo', () => {
  const a = block('a');
  const typed = (name: string): Edit => ({ do: 'change', id: 'a', members: { name }, isTyped: true });

  test('go back and forth through everything', () => {
    let state = built([a], { do: 'add', blocks: [block('b')], at: 1 }, { do: 'remove', id: 'a' });
    expect(ids(state)).toBe('b');
    state = applyEdit(state, { do: 'undo' });
    expect(ids(state)).toBe('ab');
    state = applyEdit(state, { do: 'undo' });
    expect(ids(state)).toBe('a');
    expect(applyEdit(state, { do: 'undo' })).toBe(state);
    state = applyEdit(applyEdit(state, { do: 'redo' }), { do: 'redo' });
    expect(ids(state)).toBe('b');
    expect(applyEdit(state, { do: 'redo' })).toBe(state);
  });

  test('a new edit forgets what was undone', () => {
    const state = built([a], { do: 'remove', id: 'a' }, { do: 'undo' }, typed('B'));
    expect(state.future).toEqual([]);
  });

  test('what was typed in one go is one step', () => {
    const state = built([a], typed('H'), typed('He'), typed('Hey'));
    expect(state.past).toHaveLength(1);
    expect(applyEdit(state, { do: 'undo' }).now.properties[0]!.name).toBe('a');
  });

  test('leaving the field begins a new step, and so does another field', () => {
    expect(built([a], typed('H'), { do: 'settle' }, typed('He')).past).toHaveLength(2);
    const other: Edit = { do: 'change', id: 'a', members: { help: 'x' }, isTyped: true };
    expect(built([a], typed('H'), other, typed('He')).past).toHaveLength(3);
    expect(built([a], typed('H'), { do: 'undo' }, typed('He')).past).toHaveLength(1);
  });

  test('is bounded', () => {
    const edits = Array.from(
      { length: 300 },
      (_, n): Edit => ({ do: 'change', id: 'a', members: { name: `${n}` } }),
    );
    expect(built([a], ...edits).past).toHaveLength(200);
  });
});

describe('references', () => {
  const optionOf = (state: BuilderState) => JSON.stringify(state.now.properties[1]!.logic);

  test('conditions follow an option to its new name', () => {
    const state = built(
      [topic, shown],
      { do: 'rename-choice', id: 'topic', index: 1, name: 'Hel' },
      { do: 'rename-choice', id: 'topic', index: 1, name: 'Help' },
    );
    expect(optionOf(state)).toContain('"value":"Help"');
    expect(state.past).toHaveLength(1);
    expect(optionOf(applyEdit(state, { do: 'undo' }))).toContain('"value":"Support"');
  });

  test('also where what is typed is the name of another option on the way, and back', () => {
    const typed = (...names: string[]) =>
      built(
        [topic, shown],
        ...names.map((name) => ({ do: 'rename-choice', id: 'topic', index: 1, name }) as const),
      );
    expect(optionOf(typed('Sale', 'Sales', 'Sales!'))).toContain('"value":"Sales!"');
    expect(optionOf(typed('Sales', 'Support'))).toContain('"value":"Support"');
    expect(typed('Sales', 'Sales!').past).toHaveLength(1);
  });

  test('but not where two options share a name', () => {
    const state = built([topic, shown], { do: 'rename-choice', id: 'topic', index: 1, name: 'Sales' });
    expect(optionOf(state)).toContain('"value":"Support"');
  });

  test('lists of options are followed too, and other fields left alone', () => {
    const many = { ...topic, id: 'many', type: 'multi_select', multi_select: topic.select! };
    const list = block('l', {
      logic: { conditions: asks('many', ['Sales', 'Support'], 'contains'), actions: ['hide-block'] },
    });
    const state = built([many, list, shown], { do: 'rename-choice', id: 'many', index: 1, name: 'Help' });
    expect(optionOf(state)).toContain('["Sales","Help"]');
    expect(state.now.properties[2]).toBe(shown);
  });

  test('options written as plain texts are renamed as such', () => {
    const plain = block('p', { type: 'select', options: ['A', 'B'] });
    const { now } = built([plain], { do: 'rename-choice', id: 'p', index: 0, name: 'Z' });
    expect(now.properties[0]!.options).toEqual(['Z', 'B']);
  });

  test('new ids are used everywhere, mentions too', () => {
    const mention = '<span mention="true" mention-field-id="topic" mention-fallback=""></span>';
    const two = block('two', { logic: { conditions: asks('topic', mention), actions: ['hide-block'] } });
    let count = 0;
    const copies = withNewIds([topic, shown, two], () => `new-${++count}`);
    expect(copies.map(({ id }) => id)).toEqual(['new-1', 'new-2', 'new-3']);
    expect(JSON.stringify(copies.map(({ logic }) => logic))).not.toContain('"topic');
    expect(JSON.stringify(copies[2])).toContain('mention-field-id=\\"new-1\\"');
    const [, text, note] = withNewIds(
      [topic, block('text', { type: 'nf-text', content: mention }), block('note', { help: `On ${mention}` })],
      () => `new-${++count}`,
    );
    expect(text!.content).toBe(mention.replace('"topic"', '"new-4"'));
    expect(note!.help).toBe(`On ${mention.replace('"topic"', '"new-4"')}`);
  });
});

describe('actions', () => {
  test('that would change nothing any more go', () => {
    const hides = block('h', {
      logic: { conditions: asks('topic', 'Sales'), actions: ['hide-block', 'require-answer'] },
    });
    const { now } = built([topic, hides], { do: 'change', id: 'h', members: { hidden: true } });
    expect(now.properties[1]!.logic!.actions).toEqual(['require-answer']);
  });

  test('hidden for good, a condition can only show', () => {
    const hides = block('h', { logic: { conditions: asks('topic', 'Sales'), actions: ['hide-block'] } });
    const { now } = built([topic, hides], { do: 'change', id: 'h', members: { hidden: true } });
    expect(now.properties[1]!.logic!.actions).toEqual(['show-block']);
  });
});

describe('logic that shows a block', () => {
  const conditions = asks('topic', 'Support');
  const logic = (actions: string[] | null): Edit => ({
    do: 'set-logic',
    id: 'x',
    conditions: actions && conditions,
    actions: actions ?? [],
  });
  const last = ({ now }: BuilderState) => now.properties.at(-1)!;

  test.each<[string, Partial<Property>]>([
    ['of a field', { hidden: false, required: false }],
    ['of a required field', { hidden: false, required: true }],
    ['of a field that cannot be changed', { disabled: true }],
    ['of a text', { type: 'nf-text' }],
  ])('%s, hides it otherwise, in one step', (_, more) => {
    const x = block('x', more);
    const state = built([topic, x], logic(['show-block']));
    expect(last(state)).toMatchObject({ ...more, hidden: true, logic: { actions: ['show-block'] } });
    expect(checkProperties([...state.now.properties], serverEngines)).toEqual({});
    expect(last(applyEdit(state, { do: 'undo' }))).toBe(x);
    expect(offeredActions(x)[0]).toBe('show-block');
  });

  test.each([
    ['unpicked', logic(['require-answer'])],
    ['removed', logic(null)],
  ])('%s, leaves it as hidden as it was before', (_, end) => {
    expect(last(built([topic, block('x')], logic(['show-block']), end)).hidden).toBe(false);
    expect(last(built([topic, block('x', { hidden: true })], logic(['show-block']), end)).hidden).toBe(true);
    // Logic from an earlier day: as far as can be known, only the logic hid the block.
    expect(last(built([topic, { ...shown, id: 'x' }], end)).hidden).toBe(false);
  });

  test('takes the place of logic that hides it, and the other way round', () => {
    expect(withAction(['require-answer', 'hide-block'], 'show-block')).toEqual([
      'require-answer',
      'show-block',
    ]);
    const state = built([topic, block('x')], logic(['show-block']), logic(['hide-block']));
    expect(last(state)).toMatchObject({ hidden: false, logic: { actions: ['hide-block'] } });
  });

  test('and changed nothing, as a form of the API may have it, is mended by picking it', () => {
    const idle = block('x', { logic: { conditions, actions: ['show-block'] } });
    expect(last(built([topic, idle], logic(['show-block'])))).toMatchObject({ hidden: true });
  });
});

test('another form takes the place of all, with nothing to take back', () => {
  const state = built(
    [block('a')],
    { do: 'remove', id: 'a' },
    { do: 'replace', definition: form(block('z')) },
  );
  expect(ids(state)).toBe('z');
  expect(state.past).toEqual([]);
});

test('texts of the form are steps of their own', () => {
  const typed = (title: string): Edit => ({ do: 'change-form', members: { title } });
  const state = built([], typed('F'), typed('Fo'), { do: 'change-form', members: { description: 'd' } });
  expect(state.past).toHaveLength(2);
});
