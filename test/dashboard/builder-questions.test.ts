import { expect, test } from 'vitest';
import { KINDS, newBlock } from '../../dashboard/form-builder/blocks/kinds.ts';
import {
  listedQuestions,
  newQuestion,
  REPEATED_KINDS,
  repeatedKindOf,
} from '../../dashboard/form-builder/blocks/questions.ts';
import { turnedInto } from '../../dashboard/form-builder/blocks/turn-into.ts';
import {
  applyEdit,
  type BuilderState,
  type Edit,
  startBuilding,
} from '../../dashboard/form-builder/edits.ts';
import { logicSentence, operatorWords, valueKindOf } from '../../dashboard/form-builder/logic/logic-words.ts';
import { problemsOf } from '../../dashboard/form-builder/publishing/problems.ts';
import { withNewIds } from '../../dashboard/form-builder/references.ts';
import { checkProperties } from '../../fields/check-properties.ts';
import type { Property } from '../../fields/property.ts';
import { REPEATABLE_TYPES } from '../../fields/repeated-questions.ts';
import { serverEngines } from '../../fields/server-engines.ts';

const kind = (key: string) => KINDS.find((one) => one.key === key)!;
const text = (id: string, more: Partial<Property> = {}): Property => ({
  id,
  type: 'text',
  name: id,
  ...more,
});
const companions = (...questions: Property[]): Property => ({
  id: 'c',
  type: 'repeat',
  name: 'Companions',
  entry_name: 'Person',
  questions: questions as never,
});
const start = (...properties: Property[]) =>
  startBuilding({ title: 'Form', description: null, submit_button_text: null, properties });
const within = (state: BuilderState, ...edits: Extract<Edit, { do: 'change-questions' }>['edit'][]) =>
  edits.reduce((now, edit) => applyEdit(now, { do: 'change-questions', id: 'c', edit }), state);
const asked = ({ now }: BuilderState) => listedQuestions(now.properties[0]!);
const told = (block: Property) =>
  problemsOf({ title: 'Form', description: null, submit_button_text: null, properties: [block] }).map(
    ({ text: problem, isBlocking }) => [problem, isBlocking],
  );

test('a new one asks for a name and an age, as the service takes it', () => {
  const block = newBlock(kind('repeat'));
  expect(listedQuestions(block).map(({ type, name, required }) => [type, name, required])).toEqual([
    ['text', 'Name', true],
    ['number', 'Age', false],
  ]);
  expect(checkProperties([block], serverEngines)).toEqual({});
});

test('every type that can be repeated is one of the kinds of questions, and is taken', () => {
  expect(new Set(REPEATED_KINDS.map(({ type }) => type))).toEqual(new Set(REPEATABLE_TYPES));
  const questions = REPEATED_KINDS.map((one) => newQuestion(one, one.label));
  expect(checkProperties([companions(...questions)], serverEngines)).toEqual({});
  expect(questions.map((question) => repeatedKindOf(question)?.key)).toEqual(
    REPEATED_KINDS.map(({ key }) => key),
  );
  // Other programs may have made questions of other kinds.
  expect(repeatedKindOf(text('a', { secret_input: true }))?.key).toBe('text');
});

test('questions are added, moved, changed, turned and removed, each in one step', () => {
  const before = start(companions(text('a'), text('b')));
  const added = within(before, { do: 'add', blocks: [text('n')], at: 1 });
  expect(asked(added).map(({ id }) => id)).toEqual(['a', 'n', 'b']);
  // The settings of the same block stay open.
  expect(added.selected).toBe(before.selected);
  expect(asked(within(added, { do: 'move', id: 'b', to: 0 })).map(({ id }) => id)).toEqual(['b', 'a', 'n']);
  expect(asked(within(added, { do: 'remove', id: 'a' })).map(({ id }) => id)).toEqual(['n', 'b']);
  const { members } = turnedInto(text('b'), kind('dropdown'));
  const turned = within(added, { do: 'turn', id: 'b', type: 'select', members });
  const renamed = within(turned, { do: 'rename-choice', id: 'b', index: 0, name: 'Vegan' });
  expect(asked(renamed)[2]).toMatchObject({
    type: 'select',
    select: { options: [{ name: 'Vegan' }, {}, {}] },
  });
  expect(applyEdit(renamed, { do: 'undo' }).now).toBe(turned.now);
  expect(applyEdit(applyEdit(renamed, { do: 'undo' }), { do: 'undo' }).now).toBe(added.now);
});

test('typing of one question is one step, and of the next another', () => {
  const type = (id: string, name: string) => ({
    do: 'change' as const,
    id,
    members: { name },
    isTyped: true,
  });
  const state = within(
    start(companions(text('a'), text('b'))),
    type('a', 'N'),
    type('a', 'Na'),
    type('b', 'A'),
  );
  expect(state.past).toHaveLength(2);
  expect(asked(state).map(({ name }) => name)).toEqual(['Na', 'A']);
  expect(within(state, type('b', 'A'))).toBe(state);
});

test('copies have questions with ids of their own', () => {
  const state = start(companions(text('a'), text('b')));
  const copied = applyEdit(state, { do: 'duplicate', id: 'c', copyId: 'd', questionIds: ['a2', 'b2'] });
  expect(
    copied.now.properties.map((block) => [block.id, listedQuestions(block).map(({ id }) => id)]),
  ).toEqual([
    ['c', ['a', 'b']],
    ['d', ['a2', 'b2']],
  ]);
  let count = 0;
  const [copy] = withNewIds([companions(text('a'), text('b'))], () => `new-${++count}`);
  expect([copy!.id, ...listedQuestions(copy!).map(({ id }) => id)]).toEqual(['new-1', 'new-2', 'new-3']);
});

test('what is wrong with its questions is told by their numbers', () => {
  expect(told(companions(text('a')))).toEqual([]);
  expect(told(companions())).toEqual([['It needs 1 to 20 questions.', true]]);
  const choice = { id: 's', type: 'select', name: 'Meal', select: { options: [] } };
  expect(told(companions(text('a'), text('b', { name: ' ' }), choice))).toEqual([
    ['Question 2: It has no name.', true],
    ['Question 3: It has no options to choose from.', true],
  ]);
  const alike = { ...choice, select: { options: [{ name: 'Fish' }, { name: 'Fish' }] } };
  expect(told(companions(text('a'), text('b', { name: 'a' }), alike))).toEqual([
    ['Two of its questions have the same name.', false],
    ['Question 3: Two of its options have the same name.', false],
  ]);
  expect(told({ ...companions(text('a')), min_entries: 3, max_entries: 2 })).toEqual([
    ['At least 3 entries are needed, but at most 2 may be given.', true],
  ]);
});

test('conditions ask how many entries there are', () => {
  expect(operatorWords('greater_than', 'repeat')).toBe('has more entries than');
  expect(valueKindOf({ type: 'repeat' }, 'less_than')).toBe('number');
  expect(valueKindOf({ type: 'repeat' }, 'is_empty')).toBe('none');
  const note = text('note', {
    logic: {
      conditions: {
        operatorIdentifier: 'and',
        children: [
          {
            identifier: 'c',
            value: { operator: 'greater_than', property_meta: { id: 'c', type: 'repeat' }, value: 2 },
          },
        ],
      },
      actions: ['require-answer'],
    },
  });
  const blocks = new Map([companions(text('a')), note].map((block) => [block.id, block]));
  expect(logicSentence(note, blocks)).toBe('Require when Companions has more entries than 2');
});
