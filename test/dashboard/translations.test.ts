import { expect, test } from 'vitest';
import { merged } from '../../dashboard/lib/merged.ts';
import { toCsv, withCsv } from '../../dashboard/translations/csv.ts';
import { FORM_LANGUAGES, LANGUAGE_OPTIONS } from '../../dashboard/translations/languages.ts';
import { SAID_BY_THEMSELVES, textsOf, type Wording } from '../../dashboard/translations/texts.ts';
import {
  missingIn,
  translationOf,
  withoutLanguage,
  withTranslation,
} from '../../dashboard/translations/translations.ts';
import { LANGUAGES } from '../../fields/languages/languages.ts';
import type { Property } from '../../fields/property.ts';
import { translated } from '../../fields/texts/translations.ts';
import * as server from '../../server/forms/schemas.ts';

const form = (overrides: Partial<Wording> = {}): Wording => ({
  title: 'Coffee',
  description: null,
  submit_button_text: null,
  submitted_text: SAID_BY_THEMSELVES.submitted_text ?? '',
  re_fill_button_text: null,
  editable_submissions_button_text: 'Edit submission',
  closed_text: null,
  max_submissions_reached_text: SAID_BY_THEMSELVES.max_submissions_reached_text ?? '',
  re_fillable: false,
  editable_submissions: false,
  max_submissions_count: null,
  endings: [],
  properties: [],
  ...overrides,
});
const block = (type: string, more: Partial<Property> = {}): Property => ({
  id: type,
  type,
  name: `The ${type}`,
  ...more,
});
/** The texts of one block as `label: original`. */
const said = (...properties: Property[]) =>
  textsOf(form({ properties }))
    .filter((group) => group.block !== null)
    .flatMap(({ texts }) => texts.map(({ label, original }) => `${label}: ${original}`));

test('languages are those of the service, and those without texts of their own say so', () => {
  expect([...FORM_LANGUAGES].sort()).toEqual([...server.FORM_LANGUAGES].sort());
  const complete = LANGUAGE_OPTIONS.filter(([, name]) => !name.endsWith('English texts so far'));
  expect(LANGUAGE_OPTIONS).toHaveLength(32);
  expect(complete.map(([code]) => code).sort()).toEqual(LANGUAGES.map(({ code }) => code).sort());
});

test('texts that every new form has are said by themselves', () => {
  expect(server.PRESENTATION_DEFAULTS).toMatchObject(SAID_BY_THEMSELVES);
  const open = { editable_submissions: true, max_submissions_count: 5, re_fillable: true };
  expect(textsOf(form(open)).flatMap(({ texts }) => texts.map(({ label }) => label))).toEqual(['Title']);
});

test('of the form, what its owner wrote and visitors may see', () => {
  const own: Partial<Wording> = {
    description: 'Words',
    submit_button_text: 'Go',
    submitted_text: '<p>Thanks</p>',
    re_fill_button_text: 'Again',
    editable_submissions_button_text: 'Change it',
    closed_text: 'Over',
    max_submissions_reached_text: 'Full',
  };
  const kinds = (wording: Wording) =>
    textsOf(wording).flatMap(({ texts }) => texts.map(({ place, kind }) => `${place.member} ${kind}`));
  expect(kinds(form(own))).toEqual([
    ...['title line', 'description long', 'submit_button_text line', 'submitted_text html'],
    'closed_text html',
  ]);
  expect(
    kinds(form({ ...own, re_fillable: true, editable_submissions: true, max_submissions_count: 3 })),
  ).toEqual([
    ...['title line', 'description long', 'submit_button_text line', 'submitted_text html'],
    ...['re_fill_button_text line', 'editable_submissions_button_text line', 'closed_text html'],
    'max_submissions_reached_text html',
  ]);
  expect(kinds(form({ description: '  ', closed_text: '<p>&nbsp;</p>' }))).toEqual(['title line']);
});

test('of endings, what visitors read, kept by their ids', () => {
  const ending = { id: 'a', name: 'Too young', conditions: {}, submitted_text: '<p>Sorry</p>' };
  const groups = textsOf(form({ endings: [ending, { ...ending, id: 'b', submitted_text: null }] }));
  const [, text] = groups[0]?.texts ?? [];
  expect(groups[0]?.texts).toHaveLength(2);
  expect(text).toMatchObject({ label: 'Thank-you text of “Too young”', original: '<p>Sorry</p>' });
  if (!text) return;
  const german = withTranslation({}, 'de', text.place, '<p>Leider</p>');
  expect(german).toEqual({ de: { endings: { a: { submitted_text: '<p>Leider</p>' } } } });
  expect(translationOf(german, 'de', text.place)).toBe('<p>Leider</p>');
  const wording = {
    title: 'Coffee',
    properties: [],
    presentation: { translations: german, endings: [ending] },
  };
  expect(translated(wording, 'de').presentation.endings).toEqual([
    { ...ending, submitted_text: '<p>Leider</p>' },
  ]);
});

test('of questions, their names, words and answers to choose', () => {
  expect(said(block('text', { help: '<b>Do</b>', placeholder: 'Ada', id: 'a' }))).toEqual([
    ...['Question: The text', 'Help: <b>Do</b>', 'Placeholder: Ada'],
  ]);
  expect(said(block('select', { select: { options: [{ id: 1, name: 'Red' }, { name: 'Red' }] } }))).toEqual([
    ...['Question: The select', 'Option: Red'],
  ]);
  expect(said(block('multi-select', { options: ['One', 'Two'], placeholder: 'Nowhere' }))).toEqual([
    ...['Question: The multi-select', 'Option: One', 'Option: Two'],
  ]);
  // A row and a column with the same name share one label.
  expect(said(block('matrix', { rows: ['Taste', 'Good'], columns: ['Good', 'Bad'] }))).toEqual([
    ...['Question: The matrix', 'Row: Taste', 'Row: Good', 'Column: Bad'],
  ]);
  const conditions = { operatorIdentifier: 'and' as const, children: [] };
  const rule = { error_conditions: { conditions }, error_message: 'No' };
  expect(said(block('date', { validation: rule }))).toEqual([
    ...['Question: The date', 'Message of the validation: No'],
  ]);
  expect(said(block('date', { validation: { error_message: 'No' } }))).toEqual(['Question: The date']);
});

const GUESTS = block('repeat', {
  entry_name: 'Person',
  questions: [
    { id: 'a', type: 'text', name: 'Name', help: 'As in the passport', placeholder: 'Ada' },
    { id: 'b', type: 'select', name: 'Meal', select: { options: [{ name: 'Fish' }, { name: 'Vegan' }] } },
  ],
});

test('of repeated questions, what an entry is called and what each asks', () => {
  expect(said(GUESTS)).toEqual([
    ...['Question: The repeat', 'What an entry is called: Person', 'Question 1: Name'],
    ...['Help of question 1: As in the passport', 'Placeholder of question 1: Ada', 'Question 2: Meal'],
    ...['Option of question 2: Fish', 'Option of question 2: Vegan'],
  ]);
  const texts = textsOf(form({ properties: [GUESTS] })).flatMap((group) => group.texts);
  expect(new Set(texts.map(({ key }) => key)).size).toBe(texts.length);
  // A translator gets the texts as a table; the returned translations are stored where pages look for them.
  const groups = textsOf(form({ properties: [GUESTS] }));
  const all = texts.reduce(
    (now, { place, original }) => withTranslation(now, 'de', place, `${original}!`),
    {} as Record<string, unknown>,
  );
  expect(withCsv(toCsv(groups, all, 'de'), groups, {}, 'de')?.translations).toEqual(all);
  expect(missingIn(all, 'de', groups).size).toBe(0);
  const [shown] = translated(
    { title: 'Coffee', presentation: { translations: all }, properties: [GUESTS] },
    'de',
  ).properties;
  expect(shown).toMatchObject({
    name: 'The repeat!',
    entry_name: 'Person!',
    questions: [
      { name: 'Name!', help: 'As in the passport!', placeholder: 'Ada!' },
      { name: 'Meal!', labels: { Fish: 'Fish!', Vegan: 'Vegan!' } },
    ],
  });
});

test('of other blocks, what is shown or read out; of what is never shown, nothing', () => {
  const page = block('nf-page-break', { next_btn_text: 'On', previous_btn_text: '' });
  expect(said(page)).toEqual(['Button that goes on: On']);
  expect(said(block('nf-text', { content: '<h1>Hi</h1>' }))).toEqual(['Text: <h1>Hi</h1>']);
  expect(said(block('nf-text', { content: '<p></p>' }), block('nf-divider'), block('nf-image'))).toEqual([]);
  expect(said(block('nf-video'))).toEqual(['Name, which is read out: The nf-video']);
  expect(said(block('text', { hidden: true }))).toEqual([]);
  const shownByLogic = { actions: ['show-block'] };
  expect(said(block('text', { hidden: true, logic: shownByLogic }))).toEqual(['Question: The text']);
});

test('what is said is kept where programs look for it, and nothing empty is left behind', () => {
  const title = { member: 'title' } as const;
  const option = { member: 'labels', block: 'b', name: '__proto__' } as const;
  const name = { member: 'name', block: 'b' } as const;
  let all: { [language: string]: unknown } = { fr: 'from another program', de: { other: 1 } };
  all = withTranslation(all, 'de', title, 'Kaffee');
  all = withTranslation(all, 'de', option, 'Rot');
  all = withTranslation(all, 'de', name, 'Farbe');
  expect(JSON.parse(JSON.stringify(all))).toEqual({
    fr: 'from another program',
    de: {
      other: 1,
      title: 'Kaffee',
      properties: { b: { labels: JSON.parse('{"__proto__": "Rot"}'), name: 'Farbe' } },
    },
  });
  expect(translationOf(all, 'de', option)).toBe('Rot');
  expect(translationOf(all, 'fr', option)).toBe('');
  expect(translationOf({}, 'de', { ...option, name: 'constructor' })).toBe('');
  all = withTranslation(all, 'de', option, '');
  expect(withTranslation(all, 'de', name, '')).toEqual({
    fr: 'from another program',
    de: { other: 1, title: 'Kaffee' },
  });
  expect(withTranslation({ fr: 'broken' }, 'fr', title, 'Café')).toEqual({ fr: { title: 'Café' } });
  expect(withoutLanguage(all, 'de')).toEqual({ fr: 'from another program' });
});

test('what the ends of a scale mean is a text of its own', () => {
  const scale: Property = { id: 'often', type: 'scale', name: 'How often?', scale_min_label: 'Never' };
  const members = textsOf(form({ properties: [scale] })).flatMap(({ texts }) =>
    texts.map(({ place }) => place.member),
  );
  expect(members).toContain('scale_min_label');
  expect(members).not.toContain('scale_max_label');
});

test('what is missing is counted by the texts that there are', () => {
  const groups = textsOf(form({ properties: [block('text')] }));
  const all = withTranslation({}, 'de', { member: 'title' }, ' ');
  expect(missingIn(all, 'de', groups).size).toBe(2);
  expect(missingIn(withTranslation(all, 'de', { member: 'title' }, 'Ja'), 'de', groups).size).toBe(1);
});

test('what two people write at the same time is both kept', () => {
  const base = { de: { title: 'Kaffee', gone: 'x', properties: { a: { name: 'A' } } }, it: { title: 'y' } };
  const mine = {
    de: { title: 'Der Kaffee', properties: { a: { name: 'A', help: 'Hilfe' } } },
    it: { title: 'y' },
  };
  const theirs = {
    de: { title: 'Kaffee', gone: 'x', properties: { a: { name: 'B' }, b: { name: 'C' } } },
    fr: { title: 'Café' },
  };
  expect(merged(base, mine, theirs)).toEqual({
    de: { title: 'Der Kaffee', properties: { a: { name: 'B', help: 'Hilfe' }, b: { name: 'C' } } },
    fr: { title: 'Café' },
  });
  expect(merged(base, base, {})).toEqual({});
  // If one removes a language while another writes in it, it returns with only the new text.
  expect(merged(base, mine, { it: {} })).toEqual({ it: {}, de: mine.de });
});

test('texts go out as a table and come back, from any spreadsheet', () => {
  const groups = textsOf(form({ description: '=2+"3"\r\nmore', properties: [block('text')] }));
  const before = withTranslation({}, 'de', { member: 'title' }, '-;, "Kaffee"');
  const csv = toCsv(groups, before, 'de');
  expect(csv.split('\r\n')[0]).toBe('\ufeff"key","what","original","translation"');
  expect(csv).toContain(`"'=2+""3""`);
  expect(withCsv(csv, groups, {}, 'de')).toEqual({ translations: before, read: 1, unknown: 0 });
  const name = groups[1]?.texts[0]?.key ?? '';
  const inGermanExcel = `key;translation\r\n"${name.replaceAll('"', '""')}";Name, bitte\r\nelse;x\r\n;\r\n`;
  expect(withCsv(inGermanExcel, groups, before, 'de')).toEqual({
    translations: { de: { title: '-;, "Kaffee"', properties: { text: { name: 'Name, bitte' } } } },
    read: 1,
    unknown: 1,
  });
  expect(withCsv(`\ufeffsep=;\r\n${inGermanExcel}`, groups, before, 'de')?.read).toBe(1);
  expect(withCsv('key\ttranslation\n["","title"]\tJa', groups, {}, 'de')?.read).toBe(1);
  for (const other of ['', 'a,b\n1,2', 'key,translation\n"open', '{"de": {}}'])
    expect(withCsv(other, groups, {}, 'de'), other).toBe(null);
});
