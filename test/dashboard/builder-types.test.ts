import { expect, test } from 'vitest';
import { type Kind, kindOf, newBlock } from '../../dashboard/form-builder/blocks/kinds.ts';
import { QUESTION_KINDS, turnedInto } from '../../dashboard/form-builder/blocks/turn-into.ts';
import { applyEdit, type BuilderState, startBuilding } from '../../dashboard/form-builder/edits.ts';
import { checkProperties } from '../../fields/check-properties.ts';
import type { Property } from '../../fields/property.ts';
import { serverEngines } from '../../fields/server-engines.ts';

const kind = (key: string): Kind => QUESTION_KINDS.find((one) => one.key === key)!;
const start = (...properties: Property[]) =>
  startBuilding({ title: 'Form', description: null, submit_button_text: null, properties });

function turn(state: BuilderState, index: number, to: Kind): BuilderState {
  const block = state.now.properties[index]!;
  const { members } = turnedInto(block, to);
  return applyEdit(state, { do: 'turn', id: block.id, type: to.type, members });
}
const turned = (block: Property, to: string) => turn(start(block), 0, kind(to)).now.properties[0]!;
const names = (block: Property) =>
  (block[block.type] as { options: { name: string }[] }).options.map(({ name }) => name);
const lost = (block: Property, to: string) => turnedInto(block, kind(to)).lost;

test('every kind of question becomes every other, as the service takes it', () => {
  for (const from of QUESTION_KINDS)
    for (const to of QUESTION_KINDS) {
      const label = `${from.key} → ${to.key}`;
      const block = { ...newBlock(from), name: 'Name', help: 'Help', required: true, width: '1/2' };
      const next = turned(block, to.key);
      expect(kindOf(next)?.key, label).toBe(to.key);
      expect(next, label).toMatchObject({
        id: block.id,
        name: 'Name',
        help: 'Help',
        required: true,
        width: '1/2',
      });
      const problems = checkProperties([next], serverEngines);
      // New options have no pictures yet.
      if (!next.option_display_mode) expect(problems, label).toEqual({});
      // From picture options, the display mode is kept, even where several can be chosen.
      const own = [...Object.keys(newBlock(to)), 'help', 'width', 'option_display_mode'];
      expect(
        Object.keys(next).filter((key) => !own.includes(key)),
        label,
      ).toEqual([]);
    }
});

test('options go along from choice to choice, pictures and all', () => {
  const block = newBlock(kind('radio'));
  const several = turned(block, 'multi-select');
  expect(names(several)).toEqual(names(block));
  expect(names(turned(several, 'dropdown'))).toEqual(names(block));
  expect(turned(several, 'dropdown')).toEqual({ ...turned(block, 'dropdown') });
  // Forms of other clients may store options elsewhere.
  const plain: Property = { id: 'a', type: 'select', name: 'A', options: ['x', 'y'] };
  expect(turned(plain, 'multi-select')).toEqual({ ...plain, type: 'multi_select' });
  expect(turned(plain, 'number')).toEqual({ id: 'a', type: 'number', name: 'A' });
});

test('what gets lost is said, and comes back in one step', () => {
  const text = {
    ...newBlock(kind('long-text')),
    max_char_limit: 20,
    input_mask: '99',
    prefill: 'x',
    placeholder: 'y',
  };
  expect(lost(text, 'number')).toEqual(['Pattern to fill in', 'Filled in with']);
  expect(lost(text, 'email')).toEqual(['Pattern to fill in']);
  expect(lost(text, 'date')).toEqual([
    'Limit of characters',
    'Pattern to fill in',
    'Placeholder',
    'Filled in with',
  ]);
  expect(lost(text, 'text')).toEqual([]);
  expect(turned(text, 'number')).toMatchObject({ max_char_limit: 20, placeholder: 'y' });
  for (const [from, to] of [
    ['number', 'repeat'],
    ['text', 'files'],
  ] as const)
    expect(lost({ ...newBlock(kind(from)), prefill: 5 }, to), to).toEqual(['Filled in with']);
  expect(lost(newBlock(kind('dropdown')), 'text')).toEqual(['Options']);
  expect(lost(newBlock(kind('matrix')), 'text')).toEqual(['Rows', 'Columns']);
  const state = turn(start(text), 0, kind('date'));
  expect(applyEdit(state, { do: 'undo' }).now.properties).toEqual([text]);
});

test('conditions about it follow, where both types can be asked the same', () => {
  const topic = { ...newBlock(kind('dropdown')), id: 'topic' };
  const asking = (operator: string, value: string | string[]): Property => ({
    id: operator + value.length,
    type: 'text',
    name: 'Order',
    hidden: true,
    logic: {
      conditions: {
        operatorIdentifier: 'and',
        children: [
          { identifier: 'topic', value: { operator, property_meta: { id: 'topic', type: 'select' }, value } },
        ],
      },
      actions: ['show-block'],
    },
  });
  const state = turn(
    start(topic, asking('equals', 'Option 1'), asking('does_not_equal', 'Option 2'), asking('is_empty', '')),
    0,
    kind('multi-select'),
  );
  const asked = ({ now }: BuilderState) =>
    now.properties.slice(1).map(({ logic }) => {
      const [condition] = (logic as any).conditions.children;
      return [condition.value.property_meta.type, condition.value.operator, condition.value.value];
    });
  expect(asked(state)).toEqual([
    ['multi_select', 'contains', 'Option 1'],
    ['multi_select', 'does_not_contain', 'Option 2'],
    ['multi_select', 'is_empty', ''],
  ]);
  expect(checkProperties([...state.now.properties], serverEngines)).toEqual({});
  expect(asked(turn(state, 0, kind('radio'))).map(([, operator]) => operator)).toEqual([
    'equals',
    'does_not_equal',
    'is_empty',
  ]);
  // A comparison that a number does not have is reported before publishing.
  const odd = turn(turn(start(topic, asking('contains', ['a', 'b'])), 0, kind('radio')), 0, kind('number'));
  expect(asked(odd)).toEqual([['number', 'contains', ['a', 'b']]]);
  expect(Object.keys(checkProperties([...odd.now.properties], serverEngines))).toContain(
    'properties.1.logic',
  );
});
