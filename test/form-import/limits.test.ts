import { expect, test } from 'vitest';
import type { ImportedForm } from '../../dashboard/form-import/imported.ts';
import { readText } from '../../dashboard/form-import/read-source.ts';
import { readXlsForm } from '../../dashboard/form-import/xlsform/sheets.ts';
import { fromXlsForm } from '../../dashboard/form-import/xlsform/xlsform.ts';
import type { Property } from '../../fields/property.ts';
import { aVisitor } from '../public-pages/visitor.ts';
import { useHome } from '../setup/home.ts';

const home = useHome();

async function published({ form }: ImportedForm) {
  const answer = await home.call('POST', '/open/forms', { ...form, workspace_id: home.workspaceId });
  expect(answer.status, answer.text).toBe(201);
  return answer.body;
}
const named = (form: { properties: Property[] }, name: string): Property =>
  form.properties.find((block) => block.name === name) as Property;

test('Tally: how long, how large and how many an answer may be', async () => {
  const question = (name: string, ...inputs: [type: string, payload: object][]) => [
    { uuid: `${name}-title`, groupUuid: `${name}-title`, type: 'TITLE', payload: { html: name } },
    ...inputs.map(([type, payload], at) => ({ uuid: `${name}-${at}`, groupUuid: name, type, payload })),
  ];
  const choices = { hasMinChoices: true, minChoices: 1, hasMaxChoices: true, maxChoices: 2, randomize: true };
  const read = readText(
    JSON.stringify({
      blocks: [
        ...question('Short', [
          'INPUT_TEXT',
          { hasMinCharacters: true, minCharacters: 3, hasMaxCharacters: true, maxCharacters: 5 },
        ]),
        ...question('Guests', [
          'INPUT_NUMBER',
          { hasMinNumber: true, minNumber: 1, hasMaxNumber: false, maxNumber: 4 },
        ]),
        ...question(
          'Days',
          ['CHECKBOX', { text: 'Mon', ...choices }],
          ['CHECKBOX', { text: 'Tue', ...choices }],
          ['CHECKBOX', { text: 'Wed', ...choices }],
        ),
      ],
    }),
  );
  const form = await published(read);
  const refused = async (name: string, value: unknown) => {
    const answer = await home.submit(form, { [named(form, name).id]: value });
    return answer.status === 200 ? null : Object.values(answer.body.errors).flat()[0];
  };
  expect(await refused('Short', 'abcd')).toBeNull();
  expect(await refused('Short', 'ab')).toBe('Enter at least 3 characters.');
  expect(await refused('Short', 'abcdef')).not.toBeNull();
  expect(await refused('Guests', 9)).toBeNull();
  expect(await refused('Guests', 0)).toBe('The Guests must be at least 1.');
  expect(await refused('Days', ['Mon', 'Tue'])).toBeNull();
  expect(await refused('Days', ['Mon', 'Tue', 'Wed'])).not.toBeNull();
  expect(read.form.properties.find(({ name }) => name === 'Days')?.shuffle_options).toBe('all');
  expect(read.notes).toEqual([]);
});

test('Typeform: what stands above a group of fields, films, and choices in the order of the alphabet', async () => {
  const film = { type: 'video', href: 'https://www.youtube.com/watch?v=dQw4w9WgXcQ' };
  const picture = { type: 'image', href: 'https://images.typeform.com/images/4BEUDZWsyA4k' };
  const labels = ['Oslo', 'Åbo', 'Bern'].map((label) => ({ label }));
  const read = readText(
    JSON.stringify({
      title: 'T',
      _links: {},
      fields: [
        {
          ref: 'us',
          type: 'contact_info',
          title: 'How do we reach you?',
          properties: { description: 'By day', fields: [{ ref: 'mail', type: 'email', title: 'E-mail' }] },
        },
        { ref: 'seen', type: 'short_text', title: 'What did you see?', attachment: film },
        {
          ref: 'beside',
          type: 'short_text',
          title: 'And here?',
          layout: { type: 'split', attachment: picture },
        },
        {
          ref: 'city',
          type: 'dropdown',
          title: 'City',
          properties: { alphabetical_order: true, choices: labels },
        },
      ],
    }),
  );
  const form = await published(read);
  expect(form.properties.map(({ type, name }: Property) => `${type}: ${name}`)).toEqual([
    'nf-text: How do we reach you?',
    'email: E-mail',
    'nf-video: What did you see?',
    'text: What did you see?',
    'text: And here?',
    'select: City',
  ]);
  expect(form.properties[0].content).toContain('By day');
  expect(form.properties[2].video_block).toBe(film.href);
  expect(form.properties[4].image.url).toBe(picture.href);
  const options = form.properties[5].select.options.map(({ name }: { name: string }) => name);
  expect(options).toEqual(['Åbo', 'Bern', 'Oslo']);
  expect(read.notes).toEqual([]);
});

test('XLSForm: pictures, sounds and films of questions and choices are told to be left out', () => {
  const sheet = (head: string[], ...rows: string[][]) => [head, ...rows];
  const { notes } = fromXlsForm(
    readXlsForm(
      new Map([
        [
          'survey',
          sheet(
            ['type', 'name', 'label', 'media::image::English (en)'],
            ['text', 'plain', 'Plain'],
            ['text', 'seen', 'What do you see?', 'tree.jpg'],
            ['select_one trees', 'tree', 'Which tree?'],
          ),
        ],
        ['choices', sheet(['list_name', 'name', 'label', 'image'], ['trees', 'oak', 'Oak', 'oak.jpg'])],
      ]),
    ),
  );
  const text = 'Its pictures, sounds and films are left out: the form has only their names.';
  expect(notes).toEqual([
    { about: 'What do you see?', text },
    { about: 'Which tree?', text },
  ]);
});

test('SurveyJS: choices stand in their order; right answers and limits that are worked out are told', async () => {
  const read = readText(
    JSON.stringify({
      elements: [
        { type: 'text', inputType: 'number', name: 'Many', maxValueExpression: '{Few} * 2' },
        {
          type: 'dropdown',
          name: 'City',
          choicesOrder: 'desc',
          choices: ['Bern', { value: 'o', text: 'Oslo' }, 'Graz'],
          correctAnswer: 'o',
        },
      ],
    }),
  );
  const form = await published(read);
  const options = form.properties[1].select.options.map(({ name }: { name: string }) => name);
  expect(options).toEqual(['Oslo', 'Graz', 'Bern']);
  expect(read.notes).toEqual([
    { about: 'Many', text: '“maxValueExpression” is left out: {Few} * 2' },
    { about: '', text: 'It is a quiz: right answers are left out.' },
  ]);
});

test('Formbricks: a film stands before its question', async () => {
  const videoUrl = 'https://www.youtube.com/watch?v=dQw4w9WgXcQ';
  const question = { id: 'q', type: 'openText', headline: { default: 'What did you see?' }, videoUrl };
  const form = await published(readText(JSON.stringify({ data: { name: 'T', questions: [question] } })));
  expect(form.properties.map(({ type }: Property) => type)).toEqual(['nf-video', 'text']);
  expect(form.properties[0].video_block).toBe(videoUrl);
});

test('Formbricks: texts below headlines, whatever they are called, in each language', async () => {
  const both = (en: string, de: string) => ({ default: en, de });
  const below = { html: both('<p>See the rules</p>', '<p>Siehe Richtlinie</p>') };
  const questions = [
    { id: 'yes', type: 'consent', headline: both('Rules', 'Regeln'), label: both('I agree', 'Ja'), ...below },
    { id: 'look', type: 'cta', headline: both('Look', 'Schau'), ...below },
    {
      ...{ id: 'at', type: 'address', headline: both('Where?', 'Wo?') },
      ...{ subheader: both('At home', 'Zuhause'), city: { show: true } },
    },
    { id: 'more', type: 'consent', headline: both('More', 'Mehr'), label: both('Fine', 'Gut') },
  ];
  const form = await published(readText(JSON.stringify({ data: { name: 'T', questions } })));
  const { properties: german } = form.translations.de;
  const textsOf = (name: string, key: string) => {
    const block = named(form, name);
    return [block[key], german[block.id][key]];
  };
  expect(textsOf('Rules', 'help')).toEqual([
    '<p>See the rules</p><p>I agree</p>',
    '<p>Siehe Richtlinie</p><p>Ja</p>',
  ]);
  expect(textsOf('Look', 'content')).toEqual([
    '<h2>Look</h2><p>See the rules</p>',
    '<h2>Schau</h2><p>Siehe Richtlinie</p>',
  ]);
  expect(textsOf('Where?', 'content')).toEqual([
    '<h2>Where?</h2><p>At home</p>',
    '<h2>Wo?</h2><p>Zuhause</p>',
  ]);
  expect(textsOf('More', 'help')).toEqual(['<p>Fine</p>', '<p>Gut</p>']);
});

test('Tally: links fill in hidden fields by their names', async () => {
  const hiddenFields = ['customer', 'status'].map((name, at) => ({ uuid: `u${at}`, name }));
  const block = (type: string, payload: object) => ({ uuid: type, groupUuid: type, type, payload });
  const read = readText(
    JSON.stringify({ blocks: [block('HIDDEN_FIELDS', { hiddenFields }), block('INPUT_TEXT', {})] }),
  );
  expect(read.notes).toEqual([]);
  const form = await published(read);
  const visitor = aVisitor(home.service);
  await visitor.send(await visitor.open(`/forms/${form.slug}?customer=42&status=new`), {});
  const [record] = await home.records(form);
  expect(record.data).toMatchObject({ customer: '42', u1: 'new' });
});

test('Google Forms: answers that lead to the next section lead nowhere else', () => {
  const item = (title: string, ...options: object[]) => ({
    itemId: title,
    title,
    questionItem: { question: { questionId: title, choiceQuestion: { type: 'RADIO', options } } },
  });
  const { notes } = readText(
    JSON.stringify({
      info: { title: 'T' },
      items: [
        item('On', { value: 'A', goToAction: 'NEXT_SECTION' }, { value: 'B', goToAction: null }),
        item('Away', { value: 'A', goToAction: 'SUBMIT_FORM' }, { value: 'B' }),
        item('There', { value: 'A' }, { value: 'B', goToSectionId: '2f' }),
      ],
    }),
  );
  expect(notes.map(({ about }) => about)).toEqual(['Away', 'There']);
});
