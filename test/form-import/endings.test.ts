import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import type { ImportedForm } from '../../dashboard/form-import/imported.ts';
import { readText } from '../../dashboard/form-import/read-source.ts';
import { aVisitor } from '../public-pages/visitor.ts';
import { useHome } from '../setup/home.ts';

const home = useHome();

const read = (source: object) => readText(JSON.stringify(source));
const notesOf = ({ notes }: ImportedForm) => notes.map(({ about, text }) => `${about}: ${text}`);

/** Publishes the form. @returns where these answers lead: the words of the page, or another address */
async function leadingFrom({ form }: ImportedForm) {
  const stored = await home.form({ ...form, presentation_style: 'classic' });
  return async (answers: Record<string, string>, query = '') => {
    const visitor = aVisitor(home.service);
    const page = await visitor.send(await visitor.open(`/forms/${stored.slug}${query}`), answers);
    if (page.path.startsWith('https:')) return page.path;
    expect(page.path).toContain('thank-you');
    return page.text.replace(stored.title, '').trim();
  };
}

const TEAM = {
  ref: 'team',
  type: 'multiple_choice',
  title: 'Team?',
  properties: { choices: ['Red', 'Blue', 'None', 'Green'].map((label) => ({ ref: label, label })) },
};
const WHY = { ref: 'why', type: 'short_text', title: 'Why?' };
const jump = (to: object, ...condition: string[]) => ({
  action: 'jump',
  details: { to },
  condition:
    condition.length === 0
      ? { op: 'always', vars: [] }
      : {
          op: 'is',
          vars: [
            { type: 'field', value: 'team' },
            { type: 'choice', value: condition[0] },
          ],
        },
});
const screen = (ref: string, title: string) => ({ ref, type: 'thankyou_screen', title, properties: {} });
const ending = (value: string) => ({ type: 'thankyou', value });

test('Typeform: the endings that answers lead to, the first for all others', async () => {
  const form = read({
    title: 'Teams',
    fields: [TEAM, WHY],
    thankyou_screens: [
      screen('usual', 'Thank you'),
      screen('red', 'Welcome, red {{field:why}}'),
      { ref: 'blue', type: 'url_redirect', properties: { redirect_url: 'https://blue.example/' } },
      screen('nobody', 'Never seen'),
      screen('default_tys', 'All done'),
    ],
    logic: [
      {
        type: 'field',
        ref: 'team',
        actions: [
          jump(ending('blue'), 'Blue'),
          jump(ending('default_tys'), 'Green'),
          jump({ type: 'field', value: 'why' }),
        ],
      },
      { type: 'field', ref: 'why', actions: [jump(ending('red'), 'Red')] },
    ],
  });
  expect(notesOf(form)).toEqual(['Never seen: This ending is left out: no answers lead to it.']);
  const leads = await leadingFrom(form);
  expect(await leads({ team: 'Red', why: 'me' })).toBe('Welcome, red me');
  expect(await leads({ team: 'Blue', why: '' })).toBe('https://blue.example/');
  expect(await leads({ team: 'Green', why: '' })).toBe('All done');
  expect(await leads({ team: 'None', why: '' })).toBe('Thank you');
});

test('Typeform: an ending that all answers lead to is the usual one', async () => {
  const form = read({
    title: 'Teams',
    fields: [TEAM],
    thankyou_screens: [screen('first', 'First'), screen('second', 'Second')],
    logic: [{ type: 'field', ref: 'team', actions: [jump(ending('first'), 'Red'), jump(ending('second'))] }],
  });
  const leads = await leadingFrom(form);
  expect(await leads({ team: 'Red' })).toBe('First');
  expect(await leads({ team: 'Blue' })).toBe('Second');
  expect(notesOf(form)).toEqual([]);
});

test('Typeform: endings that a score leads to are left out, and not said to be unreachable', () => {
  const score = {
    action: 'jump',
    details: { to: ending('high') },
    condition: {
      op: 'greater_than',
      vars: [
        { type: 'variable', value: 'score' },
        { type: 'constant', value: 5 },
      ],
    },
  };
  const form = read({
    title: 'Scores',
    fields: [TEAM],
    variables: { score: 0 },
    thankyou_screens: [screen('low', 'Low'), screen('high', 'High'), screen('nobody', 'Never seen')],
    logic: [{ type: 'field', ref: 'team', actions: [score, jump(ending('low'))] }],
  });
  expect(form.form.endings).toBeUndefined();
  const [high, never] = notesOf(form).filter((note) => note.includes('This ending'));
  expect(high).toBe(
    'High: This ending is left out: what led to it cannot be brought along. ' +
      'Add it under Settings → After sending, with its condition.',
  );
  expect(never).toBe('Never seen: This ending is left out: no answers lead to it.');
});

test('Formbricks: the button of an ending is a link, in each language; its picture is told', async () => {
  const both = (en: string, de: string) => ({ default: en, de });
  const usual = {
    id: 'usual',
    type: 'endScreen',
    headline: both('Thanks', 'Danke'),
    imageUrl: 'https://pictures.example/end.png',
    buttonLabel: both('Go [on]', 'Weiter'),
    buttonLink: 'https://shop.example/a_(b)?c=1&d=2',
  };
  const odd = { ...usual, id: 'odd', imageUrl: undefined, buttonLink: 'mailto:a@b.example' };
  const questions = [{ id: 'q', type: 'openText', headline: both('Q', 'F') }];
  const form = read({ name: 'Ends', questions, endings: [usual, odd] });
  expect(notesOf(form)).toEqual([
    ': The picture or film of its ending is left out: https://pictures.example/end.png',
    ': The button “Go [on]” of its ending is left out.',
    'Thanks: This ending is left out: no answers lead to it.',
  ]);
  const stored = await home.form(form.form);
  const address = 'https://shop.example/a_%28b%29?c=1&amp;d=2';
  expect(stored.submitted_text).toMatch(/^<p>Thanks<\/p><p><a .*>Go on<\/a><\/p>$/);
  expect(stored.submitted_text).toContain(`href="${address}"`);
  expect(stored.translations.de.submitted_text).toMatch(/^<p>Danke<\/p><p><a .*>Weiter<\/a><\/p>$/);
});

test('Formbricks: endings in several languages, by jumps and for all others', async () => {
  const both = (en: string, de: string) => ({ default: en, de });
  const question = (id: string, more = {}) => ({
    id,
    type: 'openText',
    headline: both(id, id),
    inputType: 'number',
    ...more,
  });
  const when = (operator: string, value: number, target: string) => ({
    id: `${operator}${target}`,
    conditions: {
      id: 'g',
      connector: 'and',
      conditions: [
        {
          id: 'c',
          leftOperand: { type: 'question', value: 'age' },
          operator,
          rightOperand: { type: 'static', value },
        },
      ],
    },
    actions: [{ id: 'a', objective: 'jumpToQuestion', target }],
  });
  const form = read({
    name: 'Ages',
    languages: [
      { default: true, enabled: true, language: { code: 'en' } },
      { default: false, enabled: true, language: { code: 'de' } },
    ],
    questions: [
      question('age', { logic: [when('isLessThan', 18, 'young'), when('isGreaterThan', 99, 'old')] }),
      question('size'),
    ],
    endings: [
      {
        id: 'usual',
        type: 'endScreen',
        headline: both('Thanks', 'Danke'),
        subheader: both('Bye', 'Tschüss'),
      },
      { id: 'young', type: 'endScreen', headline: both('Too young', 'Zu jung') },
      { id: 'old', type: 'redirectToUrl', url: 'https://old.example/' },
    ],
  });
  expect(notesOf(form)).toEqual([]);
  const leads = await leadingFrom(form);
  expect(await leads({ age: '12' })).toBe('Too young');
  expect(await leads({ age: '12' }, '?lang=de')).toBe('Zu jung');
  expect(await leads({ age: '100' })).toBe('https://old.example/');
  expect(await leads({ age: '40', size: '3' })).toBe('ThanksBye');
  expect(await leads({ age: '40', size: '3' }, '?lang=de')).toBe('DankeTschüss');
});

test('SurveyJS: texts and addresses under conditions', async () => {
  const form = read({
    title: 'Scores',
    locale: 'en',
    elements: [{ type: 'text', inputType: 'number', name: 'score', title: 'Score' }],
    completedHtml: '<p>Thanks</p>',
    completedHtmlOnCondition: [
      { expression: '{score} >= 9', html: { default: '<p>Great</p>', de: '<p>Toll</p>' } },
      { expression: 'someFunction({score}) > 1', html: '<p>Odd</p>' },
    ],
    navigateToUrlOnCondition: [{ expression: '{score} < 3', url: 'https://help.example/' }],
  });
  expect(notesOf(form)).toEqual([
    ': What follows sending under a condition is left out: someFunction({score}) > 1',
  ]);
  const leads = await leadingFrom(form);
  expect(await leads({ score: '9' })).toBe('Great');
  expect(await leads({ score: '9' }, '?lang=de')).toBe('Toll');
  expect(await leads({ score: '2' })).toBe('https://help.example/');
  expect(await leads({ score: '5' })).toBe('Thanks');
});

test('Tally: the first thank-you page, without the words of the others', async () => {
  const { blocks } = JSON.parse(await readFile(new URL('fixtures/tally.json', import.meta.url), 'utf8'));
  const page = blocks.findLast(({ payload }: any) => payload.isThankYouPage);
  const other = { uuid: 'x', type: 'TEXT', groupUuid: 'y', groupType: 'TEXT', payload: { html: 'Another' } };
  const form = read({ blocks: [...blocks, { ...page, uuid: 'z' }, other] });
  expect(form.form.submitted_text).toContain('Thanks for signing up!');
  expect(form.form.submitted_text).not.toContain('Another');
  expect(notesOf(form)).toContain(
    ': Of 2 thank-you pages the first is brought along. Settings → After sending takes the others.',
  );
});

test('what the service would refuse is left out and told', async () => {
  const long = 'x'.repeat(10_001);
  const many = Array.from({ length: 60 }, (_, index) => ({
    expression: `{score} = ${index}`,
    html: index === 0 ? long : `Score ${index}`,
  }));
  const form = read({
    title: 'Scores',
    elements: [{ type: 'text', inputType: 'number', name: 'score', title: 'Score' }],
    completedHtmlOnCondition: many,
  });
  expect(form.form.endings).toHaveLength(49);
  const notes = notesOf(form);
  expect(notes).toHaveLength(2);
  expect(notes[0]).toBe(': A form has 50 endings at most. The last 10 are left out.');
  expect(notes[1]).toMatch(/^x+…?: This ending is left out: it cannot be brought along\.$/);
  await home.form({ ...form.form });
});

test('an ending with too many conditions takes none away from the others', () => {
  const either = (count: number) => Array.from({ length: count }, (_, n) => `{s}=${n}`).join(' or ');
  const form = read({
    title: 'Scores',
    elements: [{ type: 'text', inputType: 'number', name: 's', title: 'Score' }],
    completedHtmlOnCondition: [
      { expression: either(300), html: 'Many' },
      { expression: either(300), html: 'Too many' },
      { expression: either(200), html: 'Just as many' },
      { expression: either(1), html: 'One more' },
    ],
  });
  expect(form.form.endings?.map(({ name }) => name)).toEqual(['Many', 'Just as many']);
  expect(notesOf(form)).toEqual(
    ['Too many', 'One more'].map((name) => `${name}: This ending is left out: it cannot be brought along.`),
  );
});

test('JSON of a form keeps its endings', () => {
  const conditions = { operatorIdentifier: 'and', children: [] };
  const kept = { id: 'a', name: 'A', conditions, submitted_text: 'Hi', redirect_url: null };
  const form = read({
    title: 'Ours',
    properties: [{ id: 'x', type: 'text', name: 'X' }],
    endings: [kept],
  });
  expect(form.form.endings).toEqual([kept]);
});
