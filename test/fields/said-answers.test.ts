import { expect, test } from 'vitest';
import { sayAnswers } from '../../fields/as-text/said-answers.ts';
import type { Shown } from '../../fields/logic/shown.ts';
import type { Answers, Property } from '../../fields/property.ts';
import { serverEngines } from '../../fields/server-engines.ts';

const SPEECH = { language: 'en', yes: 'Yes', no: 'No', sanitiseHtml: serverEngines.sanitiseHtml };
const field = (type: string, options: object = {}): Property => ({ id: 'x', type, name: 'X', ...options });
const said = (property: Property, answers: Answers, states?: Shown['states']) =>
  sayAnswers([property], { answers, ...(states && { states }) }, SPEECH)('x', '-');
const state = (hidden: boolean): Shown['states'] =>
  new Map([['x', { hidden, required: false, disabled: false }]]);

test('the fallback stands for what has no answer, no words, or no field', () => {
  expect(said(field('text'), {})).toBe('-');
  expect(said(field('text'), { x: '' })).toBe('-');
  expect(said(field('rich_text'), { x: '<p> </p>' })).toBe('-');
  expect(said(field('multi_select'), { x: [] })).toBe('-');
  expect(said(field('signature'), { x: 'data:image/png;base64,AAAA' })).toBe('-');
  expect(said(field('nf-text'), { y: 'Ada' })).toBe('-');
  expect(sayAnswers([], { answers: { x: 'Ada' } }, SPEECH)('x', '-')).toBe('-');
  expect(sayAnswers([], { answers: {} }, SPEECH)('constructor', '-')).toBe('-');
});

test('a box that is shown and not ticked says so before it was sent', () => {
  const box = field('checkbox');
  expect(said(box, { x: true }, state(false))).toBe('Yes');
  expect(said(box, { x: 'true' }, state(false))).toBe('Yes');
  expect(said(box, { x: false }, state(false))).toBe('No');
  expect(said(box, {}, state(false))).toBe('No');
  expect(said(box, {}, state(true))).toBe('-');
  expect(said(box, {})).toBe('-');
  expect(said(box, { x: false })).toBe('No');
});

test('stored and posted answers read the same', () => {
  expect(said(field('number'), { x: 1e-7 })).toBe('0.0000001');
  expect(said(field('date'), { x: '2026-05-01T13:05' })).toBe('May 1, 2026 at 1:05 PM');
  expect(said(field('date'), { x: ['2026-05-01', ''] })).toBe('May 1, 2026');
  expect(said(field('date'), { x: '2026-05-' })).toBe('2026-05-');
  expect(said(field('files'), { x: `cv_${'0'.repeat(8)}-0000-4000-8000-${'0'.repeat(12)}.pdf` })).toBe(
    'cv.pdf',
  );
  const ranking = field('ranking', { options: ['Tea', 'Milk'], labels: { Tea: 'Tee' } });
  expect(said(ranking, { x: ['Milk', 'Tea'] })).toBe('Milk, Tee');
  expect(said(ranking, { x: { Tea: '2', Milk: '1' } })).toBe('Milk, Tee');
  expect(said(ranking, { x: { Tea: '2' } })).toBe('-');
  // The database orders the members of an object by the length of their names.
  const matrix = field('matrix', { rows: ['Service', 'Food'], labels: { Food: 'Essen', Good: 'Gut' } });
  expect(said(matrix, { x: { Food: 'Good', Service: 'Bad', Gone: 'Bad' } })).toBe(
    'Service: Bad | Essen: Gut',
  );
});

test('numbers are said as the language writes them', () => {
  const inGerman = { ...SPEECH, language: 'de' };
  const given = { answers: { x: '12.5' }, computed: (id: string) => (id === 'cv_a' ? 0.5 : '1.5 kg') };
  const say = sayAnswers([field('number')], given, inGerman);
  expect([say('x', '-'), say('cv_a', '-'), say('cv_b', '-')]).toEqual(['12,5', '0,5', '1.5 kg']);
});

test('of a long answer the beginning is said, and of many only that there is something', () => {
  const say = sayAnswers([field('text')], { answers: { x: 'a'.repeat(5_000) } }, SPEECH);
  const texts = Array.from({ length: 60 }, () => say('x', '-'));
  expect(texts[0]).toBe(`${'a'.repeat(1_999)}…`);
  expect(texts.filter((text) => text === texts[0])).toHaveLength(50);
  expect(texts.at(-1)).toBe('…');
  expect(say('y', 'nothing')).toBe('nothing');
});
