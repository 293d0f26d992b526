import { globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { english } from '../../fields/languages/en.ts';
import type { Language } from '../../fields/languages/language.ts';
import {
  isRightToLeft,
  LANGUAGES,
  languageFor,
  messagesFor,
  pageMessagesFor,
} from '../../fields/languages/languages.ts';
import { type Messages, messagesFrom } from '../../fields/texts/messages.ts';
import { fillIn, type Template } from '../../fields/texts/template.ts';
import { aField, aTextField, TEXT_FIELD_ID } from '../setup/factories.ts';
import { expectInvalid, useHome } from '../setup/home.ts';

const COMPLETE = 'ar de en es fr hi it ja ko nl pl pt ru tr uk zh'.split(' ');
/** Texts that may be the same in English: names, signs, and words that languages share. */
const MAX_SHARED_WITH_ENGLISH = 10;
/** Numbers tested for plurals. */
const NUMBERS = Array.from({ length: 1_000 }, (_, number) => number);
/** For languages with their own letters: letters that every text has, and letters that the language does not use. */
const LETTERS: Record<string, { own: RegExp; foreign: RegExp }> = {
  ar: { own: /\p{Script=Arabic}/u, foreign: /[پچژگکی]/u },
  hi: { own: /\p{Script=Devanagari}/u, foreign: /[^\p{Script=Devanagari}\p{Script=Latin}\P{L}]/u },
  ja: { own: /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u, foreign: /\p{Script=Hangul}/u },
  ko: { own: /\p{Script=Hangul}/u, foreign: /\p{Script=Han}/u },
  ru: { own: /\p{Script=Cyrillic}/u, foreign: /[іїєґ]/iu },
  uk: { own: /\p{Script=Cyrillic}/u, foreign: /[ыэъё]/iu },
  zh: { own: /\p{Script=Han}/u, foreign: /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u },
};
/** A summary of errors never counts zero. */
const NEVER_ZERO = ['page.errorSummary'];
/** Only placeholders, and signs between them. */
const WITHOUT_WORDS = ['page.rowOfMatrix', 'page.ratingValue'];

function textsOf({ messages, page }: Language): Map<string, Template> {
  return new Map([
    ...Object.entries(messages).map(([key, text]) => [`messages.${key}`, text] as const),
    ...Object.entries(page).map(([key, text]) => [`page.${key}`, text] as const),
  ]);
}

function forms(template: Template): [category: string, text: string][] {
  return typeof template === 'string' ? [['other', template]] : Object.entries(template);
}

function placesIn(text: string): string[] {
  return [...new Set(text.match(/\{\w+\}/g))].sort();
}

function otherOf(template: Template): string {
  return typeof template === 'string' ? template : template.other;
}

const englishTexts = textsOf(english);

test('the complete languages are these', () => {
  expect(LANGUAGES.map(({ code }) => code).sort()).toEqual(COMPLETE);
});

describe.each(LANGUAGES.map((language) => [language.code, language] as const))('%s', (code, language) => {
  const texts = textsOf(language);

  test('has every text, and no other', () => {
    expect([...texts.keys()].sort()).toEqual([...englishTexts.keys()].sort());
    for (const [key, template] of texts) {
      for (const [, text] of forms(template)) {
        expect(text, key).toMatch(/\S/);
        expect(text, key).toBe(text.trim());
        expect(text, key).not.toMatch(/[<>&]/);
      }
    }
  });

  test('has the places of the English text', () => {
    for (const [key, template] of texts) {
      const places = placesIn(otherOf(englishTexts.get(key) ?? ''));
      expect(placesIn(otherOf(template)), key).toEqual(places);
      for (const [, text] of forms(template))
        expect(places, key).toEqual(expect.arrayContaining(placesIn(text)));
    }
  });

  test('has a text for every plural, with the number wherever it is not certain', () => {
    const rules = new Intl.PluralRules(code);
    const numbersOf = new Map<string, number[]>();
    for (const number of NUMBERS) {
      const category = rules.select(number);
      numbersOf.set(category, [...(numbersOf.get(category) ?? []), number]);
    }
    const known = [...numbersOf.keys(), 'other'];
    for (const [key, template] of texts) {
      if (typeof template === 'string') continue;
      expect(Object.keys(template).sort(), key).toEqual([...new Set(known)].sort());
      for (const [category, text] of forms(template)) {
        const numbers = numbersOf.get(category) ?? NUMBERS;
        const isCertain = numbers.filter((number) => number > 0 || !NEVER_ZERO.includes(key)).length === 1;
        if (!isCertain) expect(placesIn(text), `${key}.${category}`).toEqual(placesIn(template.other));
      }
    }
  });

  test('tells of several problems beginning with the first', () => {
    for (const [, text] of forms(language.messages.andMore)) expect(text).toMatch(/^\{first\}/);
  });

  test('travels as JSON', () => {
    const copy = JSON.parse(JSON.stringify(language)) as Language;
    expect(copy).toEqual(language);
    expect(messagesFrom(copy.messages, copy.code).minSelection(3)).toBe(
      pageMessagesFor(code).minSelection(3),
    );
  });
});

test.each(LANGUAGES.filter(({ code }) => code !== 'en'))('$code is translated', (language) => {
  const shared = [...textsOf(language)].filter(
    ([key, template]) => otherOf(template) === otherOf(englishTexts.get(key) ?? ''),
  );
  expect(shared.length, String(shared)).toBeLessThanOrEqual(MAX_SHARED_WITH_ENGLISH);
});

test.each(Object.entries(LETTERS))('%s is written in its own letters', (code, { own, foreign }) => {
  for (const [key, template] of textsOf(languageFor(code))) {
    for (const [, text] of forms(template)) {
      if (!WITHOUT_WORDS.includes(key)) expect(text, key).toMatch(own);
      expect(text, key).not.toMatch(foreign);
    }
  }
});

test('the API has words of its own in English, of which each names the same', () => {
  const templates = Object.entries(english.messages);
  const own = english.apiMessages ?? english.messages;
  expect(Object.keys(own)).toEqual(Object.keys(english.messages));
  for (const [key, template] of templates)
    expect(placesIn(otherOf(own[key as keyof Messages])), key).toEqual(placesIn(otherOf(template)));
  expect(pageMessagesFor('en').required('How was it?')).toBe('“How was it?” needs an answer.');
  expect(pageMessagesFor('vi').required('How was it?')).toBe('“How was it?” needs an answer.');
  expect(pageMessagesFor('de')).toBe(messagesFor('de'));
});

test('every text is said somewhere', () => {
  const sources = ['fields', 'server']
    .flatMap((folder) => globSync(`${folder}/**/*.ts`))
    .filter((path) => !path.startsWith('fields/languages/') && path !== 'fields/texts/messages.ts')
    .map((path) => readFileSync(path, 'utf8'))
    .join('\n');
  const said = new Set(sources.match(/\w+/g));
  const names = [...textsOf(english).keys()].map((key) => key.split('.')[1] ?? '');
  expect(names.filter((name) => !said.has(name))).toEqual([]);
});

describe('a language', () => {
  test.each(['cs', 'sv', 'tlh', '', '__proto__', 'constructor', 'EN'])(
    'unknown like %j is English',
    (code) => {
      expect(languageFor(code)).toBe(english);
      expect(messagesFor(code).required('Name')).toBe('The Name field is required.');
    },
  );

  test('without texts has the plurals of English, not its own', () => {
    // in Vietnamese, one and two are the same plural category
    expect(messagesFor('vi').minSelection(1)).toBe('Please select at least 1 option');
    expect(messagesFor('vi').minSelection(2)).toBe('Please select at least 2 options');
  });

  test('may be written from right to left', () => {
    expect(['ar', 'ur', 'en', 'ja', 'he?'].filter(isRightToLeft)).toEqual(['ar', 'ur']);
  });
});

describe('values', () => {
  const HOSTILE = [
    '$&',
    '$1',
    "$'",
    '{name}',
    '{limit}',
    '{count}',
    '__proto__',
    'constructor',
    '',
    '{',
    '}{',
  ];

  test.each(HOSTILE)('%j is inserted as it is', (value) => {
    expect(fillIn('<{name}|{name}|{limit}>', { name: value, limit: 3 }, 'en')).toBe(`<${value}|${value}|3>`);
    for (const code of COMPLETE) {
      const text = messagesFor(code).maxCharacters(value, 30);
      expect(text).toContain(value);
      expect(text).toContain('30');
    }
  });

  test('a place without a value stays', () => {
    expect(fillIn('{name} {limit}', { name: 'A' }, 'en')).toBe('A {limit}');
  });

  test('every argument of every message arrives', () => {
    const called: Record<keyof Messages, unknown> = messagesFor('de') as never;
    for (const [key, template] of Object.entries(languageFor('de').messages)) {
      const message = called[key as keyof Messages] as (...values: (string | number)[]) => string;
      const isCounted = ['minSelection', 'maxSelection'].includes(key);
      const text = isCounted ? message(42) : message('Alpha', 42);
      expect(text, key).not.toMatch(/[{}]|undefined/);
      const places = placesIn(otherOf(template));
      if (places.some((place) => ['{limit}', '{count}'].includes(place))) expect(text, key).toContain('42');
      if (places.some((place) => !['{limit}', '{count}'].includes(place)))
        expect(text, key).toContain('Alpha');
    }
  });

  test.each([
    ['ru', 1, 'Выберите не менее 1 варианта.'],
    ['ru', 5, 'Выберите не менее 5 вариантов.'],
    ['ru', 21, 'Выберите не менее 21 варианта.'],
    ['pl', 3, 'Proszę wybrać co najmniej 3 opcje.'],
    ['pl', 12, 'Proszę wybrać co najmniej 12 opcji.'],
    ['ar', 2, 'يرجى تحديد خيارين على الأقل.'],
    ['ar', 7, 'يرجى تحديد 7 خيارات على الأقل.'],
    ['fr', 1, 'Veuillez choisir au moins 1 option.'],
    ['fr', 1_000_000, 'Veuillez choisir au moins 1000000 options.'],
    ['ja', 1, '1個以上選択してください。'],
  ])('the plurals of %s: %d', (code, count, expected) => {
    expect(messagesFor(code).minSelection(count)).toBe(expected);
  });
});

describe('the API', () => {
  const home = useHome();
  const EMAIL = aField('21', 'email', 'Mail', { required: true });
  const required = (name: string) => aTextField({ name, required: true });

  function refusal(language: string, properties: unknown[], answers: unknown = {}) {
    return home.form({ language, properties }).then((form) => home.submit(form, answers));
  }

  test('takes every complete language, and refuses answers in it', async () => {
    for (const code of COMPLETE) {
      const answer = await refusal(code, [required('Name')]);
      const errors = expectInvalid(answer, TEXT_FIELD_ID);
      expect(errors[TEXT_FIELD_ID]).toEqual([messagesFor(code).required('Name')]);
    }
  });

  test('German', async () => {
    const answer = await refusal('de', [required('Vorname'), EMAIL], { [EMAIL.id]: 'nobody' });
    const errors = expectInvalid(answer, TEXT_FIELD_ID, EMAIL.id);
    expect(errors[TEXT_FIELD_ID]).toEqual(['„Vorname“ ist ein Pflichtfeld.']);
    expect(errors[EMAIL.id]).toEqual(['„Mail“ muss eine gültige E-Mail-Adresse sein.']);
    expect(answer.body.message).toBe('„Vorname“ ist ein Pflichtfeld. (und 1 weiterer Fehler)');
  });

  test('Arabic, with the name kept apart from the direction of the text', async () => {
    const answer = await refusal('ar', [required('Name (first)')]);
    expect(expectInvalid(answer, TEXT_FIELD_ID)[TEXT_FIELD_ID]).toEqual([
      'الحقل «\u2068Name (first)\u2069» مطلوب.',
    ]);
  });

  test('Japanese', async () => {
    const number = aField('22', 'number', '年齢');
    const answer = await refusal('ja', [number], { [number.id]: 'many' });
    expect(expectInvalid(answer, number.id)[number.id]).toEqual([
      '「年齢」には 1234 のような数値を入力してください。',
    ]);
  });

  test('English where a language has no texts yet', async () => {
    const answer = await refusal('cs', [required('Jméno')]);
    expect(expectInvalid(answer, TEXT_FIELD_ID)[TEXT_FIELD_ID]).toEqual(['The Jméno field is required.']);
  });

  test('a message that begins in English ends in English', async () => {
    const answer = await refusal('de', [required('Vorname')], { completion_time: -1 });
    expectInvalid(answer, 'completion_time', TEXT_FIELD_ID);
    expect(answer.body.message).toBe(
      'The completion time must be between 0 and 315360000 seconds. (and 1 more error)',
    );
  });

  test('inserts the name of a field literally', async () => {
    for (const name of ["$& $1 $'", '{name} {limit}', '__proto__']) {
      const answer = await refusal('de', [required(name)]);
      expect(expectInvalid(answer, TEXT_FIELD_ID)[TEXT_FIELD_ID]).toEqual([`„${name}“ ist ein Pflichtfeld.`]);
    }
  });

  test('an owner’s edit is refused in the language of the form, also after that changed', async () => {
    const form = await home.form({ language: 'de', properties: [required('Name')] });
    const { body } = await home.submit(form, { [TEXT_FIELD_ID]: 'Ada' });
    const path = `/open/forms/${form.id}/submissions/${body.submission_id}`;
    const edit = () => home.call('PUT', path, { [TEXT_FIELD_ID]: '' });
    expect(expectInvalid(await edit(), TEXT_FIELD_ID)[TEXT_FIELD_ID]).toEqual([
      '„Name“ ist ein Pflichtfeld.',
    ]);

    const change = await home.call('PUT', `/open/forms/${form.id}`, { language: 'ja' });
    expect(change.status, change.text).toBe(200);
    for (const answer of [await edit(), await home.submit(form, {})]) {
      expect(expectInvalid(answer, TEXT_FIELD_ID)[TEXT_FIELD_ID]).toEqual(['「Name」は必須です。']);
    }
  });

  test('the texts the author wrote stay the author’s', async () => {
    const isTall = { operatorIdentifier: 'and', children: [] as unknown[] };
    const number = aField('23', 'number', 'Größe', {
      validation: { error_conditions: { conditions: isTall }, error_message: 'Too small!' },
    });
    isTall.children.push({
      identifier: number.id,
      value: { operator: 'greater_than', property_meta: { id: number.id, type: 'number' }, value: 100 },
    });
    const answer = await refusal('de', [number], { [number.id]: 3 });
    expect(expectInvalid(answer, number.id)[number.id]).toEqual(['Too small!']);
  });
});
