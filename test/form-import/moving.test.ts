import { describe, expect, test } from 'vitest';
import type { ImportedForm } from '../../dashboard/form-import/imported.ts';
import { readText } from '../../dashboard/form-import/read-source.ts';
import { readXlsForm } from '../../dashboard/form-import/xlsform/sheets.ts';
import { fromXlsForm } from '../../dashboard/form-import/xlsform/xlsform.ts';
import type { Property } from '../../fields/property.ts';
import { useHome } from '../setup/home.ts';

/** Common questions as these products write them, and what somebody who moves would miss. */
const home = useHome();

const block = ({ form }: ImportedForm, name: string) =>
  form.properties.find((one) => one.name === name) as Property;
const notesAbout = ({ notes }: ImportedForm, about: string) =>
  notes.filter((note) => note.about === about).map(({ text }) => text);

/** Creates the form through the API, and answers it. */
async function answered({ form }: ImportedForm, answers: Record<string, unknown>) {
  const made = await home.call('POST', '/open/forms', { ...form, workspace_id: home.workspaceId });
  expect(made.status, made.text).toBe(201);
  return home.submit(made.body, answers);
}

describe('Tally', () => {
  let count = 0;
  const piece = (type: string, payload: object, groupUuid = `g${++count}`) => ({
    uuid: `u${++count}`,
    type,
    groupUuid,
    groupType: type,
    payload,
  });
  const title = (...schema: unknown[]) => piece('TITLE', { safeHTMLSchema: schema });
  const read = (blocks: object[], settings: object = {}) =>
    readText(JSON.stringify({ name: 'Kurs', settings, blocks }));

  test('what stands below a title is the help of its question, with links and bold words', () => {
    const terms = ['Bedingungen', [['href', 'https://example.org/agb?a=1&b=2']]];
    const form = read([
      title(['Dein Name']),
      piece('TEXT', {
        safeHTMLSchema: [['Wie im '], ['Ausweis', [['font-weight', 'bold']]], [' <oder> '], terms],
      }),
      piece('INPUT_TEXT', { isRequired: true }),
      title(['Nur ein Titel']),
      piece('TEXT', { safeHTMLSchema: [['und ein Text']] }),
      title(['Ich nehme die '], terms, [' an']),
      piece('CHECKBOX', { text: 'Ja' }),
    ]);
    expect(form.form.properties.map(({ type, name }) => `${type}: ${name}`)).toEqual([
      'text: Dein Name',
      'nf-text: Nur ein Titel',
      'nf-text: und ein Text',
      'multi_select: Ich nehme die Bedingungen (https://example.org/agb?a=1&b=2) an',
    ]);
    expect(block(form, 'Dein Name').help).toBe(
      'Wie im <strong>Ausweis</strong> &lt;oder&gt; <a href="https://example.org/agb?a=1&amp;b=2">Bedingungen</a>',
    );
  });

  test('what answers begin with, pictures of options, and the middle of a scale', async () => {
    const picture = (name: string) => `https://example.org/${name}.png`;
    const options = [
      piece('MULTIPLE_CHOICE_OPTION', { text: 'Katze', image: picture('cat') }, 'pets'),
      piece('MULTIPLE_CHOICE_OPTION', { text: 'Hund', image: picture('dog') }, 'pets'),
    ];
    const begins = { hasDefaultAnswer: true, defaultAnswer: options[1]?.uuid };
    Object.assign(options[0]?.payload ?? {}, begins);
    const form = read([
      title(['Tier']),
      ...options,
      title(['Wie viele?']),
      piece('INPUT_NUMBER', { hasDefaultAnswer: true, defaultAnswer: 2 }),
      title(['Name']),
      piece('INPUT_TEXT', { hasDefaultAnswer: true, defaultAnswer: 'Ada' }),
      title(['Tag']),
      piece('INPUT_DATE', { hasDefaultAnswer: true, defaultAnswer: 'today', hasAfterDate: true }),
      title(['Zufrieden?']),
      piece('LINEAR_SCALE', { start: 0, end: 10, step: 1, hasCenterLabel: true, centerLabel: 'mittel' }),
    ]);
    expect(block(form, 'Tier')).toMatchObject({
      prefill: 'Hund',
      option_display_mode: 'text_and_image',
      select: { options: [{ image: picture('cat') }, { image: picture('dog') }] },
    });
    expect(block(form, 'Wie viele?').prefill).toBe(2);
    expect(block(form, 'Name').prefill).toBe('Ada');
    expect(block(form, 'Zufrieden?').help).toContain('5: mittel');
    expect(notesAbout(form, 'Tag')).toEqual([
      'What it began with is left out.',
      'Which days could be chosen is left out.',
    ]);
    expect((await answered(form, {})).status).toBe(200);
  });

  test('which files are taken, and what is left out is told by its title', () => {
    const form = read([
      title(['Unterlagen']),
      piece('FILE_UPLOAD', {
        hasMultipleFiles: true,
        hasMaxFiles: true,
        maxFiles: 3,
        hasMaxFileSize: true,
        maxFileSize: 5,
        allowedFiles: { 'application/pdf': ['.pdf'], 'image/*': [] },
      }),
      title(['Zahlung']),
      piece('PAYMENT', { amount: 10 }),
    ]);
    expect(block(form, 'Unterlagen')).toMatchObject({
      multiple: true,
      max_file_size: 5,
      allowed_file_types: 'pdf, jpg, jpeg, png, gif, webp, heic',
    });
    expect(notesAbout(form, 'Unterlagen')).toEqual(['It took at most 3 files. Here it takes more.']);
    expect(notesAbout(form, 'Zahlung')).toEqual(['A block of the kind PAYMENT is left out.']);
    expect(form.form.properties).toHaveLength(1);
  });

  test('its language, its button, its progress bar and where it leads', () => {
    const head = piece('FORM_TITLE', { html: 'Kurs', button: { label: 'Absenden' } });
    const question = [title(['Name']), piece('INPUT_TEXT', {})];
    const redirectOnCompletion = { html: 'https://example.org/danke', mentions: [] };
    const settings = { language: 'de', hasProgressBar: true, redirectOnCompletion };
    expect(read([head, ...question], settings).form).toMatchObject({
      language: 'de',
      submit_button_text: 'Absenden',
      show_progress_bar: true,
      redirect_url: 'https://example.org/danke',
    });
    // With several pages, the title holds the button of the first page, not the submit button.
    const paged = read([head, ...question, piece('PAGE_BREAK', {}), ...question]).form;
    expect(paged).not.toHaveProperty('submit_button_text');
  });
});

describe('SurveyJS', () => {
  const read = (...elements: object[]) => readText(JSON.stringify({ title: 'Order', elements }));

  test('pictures are taken where they were, beside other files', async () => {
    const file = (acceptedTypes: string) =>
      read({ type: 'file', name: 'papers', acceptedTypes, title: 'Papers' });
    expect(block(file('image/*, .pdf'), 'Papers').allowed_file_types).toBe(
      'jpg, jpeg, png, gif, webp, heic, pdf',
    );
    expect(block(file('application/pdf,image/jpeg'), 'Papers').allowed_file_types).toBe('pdf, jpg, jpeg');
    const odd = file('application/x-odd,.pdf');
    expect(block(odd, 'Papers')).not.toHaveProperty('allowed_file_types');
    expect(notesAbout(odd, 'Papers')).toEqual([
      'It took only some kinds of files. Here it takes all: application/x-odd, .pdf',
    ]);
  });

  test('a comment beside an answer is a question of its own, required of nobody', async () => {
    const form = read(
      {
        type: 'radiogroup',
        name: 'pet',
        title: 'Pet',
        choices: ['Cat'],
        showCommentArea: true,
        isRequired: true,
        commentText: 'Why?',
      },
      { type: 'rating', name: 'nps', title: 'NPS', hasComment: true, requiredIf: "{pet} = 'Cat'" },
    );
    expect(form.form.properties.map(({ id, type, name }) => [id, type, name])).toEqual([
      ['pet', 'select', 'Pet'],
      ['pet-Comment', 'text', 'Why?'],
      ['nps', 'scale', 'NPS'],
      ['nps-Comment', 'text', 'NPS: comment'],
    ]);
    const sent = await answered(form, { pet: 'Cat' });
    expect(Object.keys(sent.body.errors)).toEqual(['nps']);
    expect((await answered(form, { pet: 'Cat', nps: 3, 'pet-Comment': 'soft' })).status).toBe(200);
  });

  test('texts asked together keep their limits and checks', async () => {
    const items = [
      { name: 'count', inputType: 'number', min: 2, isRequired: true },
      { name: 'code', title: 'Code', maxLength: 3, validators: [{ type: 'text', minLength: 2 }] },
    ];
    const form = read({ type: 'multipletext', name: 'both', title: 'Both', items });
    expect(form.notes).toEqual([]);
    const sent = await answered(form, { 'both.count': 1, 'both.code': 'a' });
    expect(Object.keys(sent.body.errors)).toEqual(['both.count', 'both.code']);
    expect((await answered(form, { 'both.count': 2, 'both.code': 'ab' })).status).toBe(200);
  });

  test('a mask of digits and letters stays, another one is told', async () => {
    const phone = (pattern: string) =>
      read({ type: 'text', name: 'phone', title: 'Phone', maskType: 'pattern', maskSettings: { pattern } });
    expect(block(phone('(999) 999-99##'), 'Phone').input_mask).toBe('(999) 999-99**');
    expect((await answered(phone('999-99'), { phone: '12' })).status).toBe(422);
    expect(notesAbout(phone('+1 999'), 'Phone')).toEqual([
      'How its answer is written while typing is left out: +1 999',
    ]);
    const money = read({ type: 'text', name: 'sum', title: 'Sum', maskType: 'currency' });
    expect(notesAbout(money, 'Sum')).toEqual([
      'How its answer is written while typing is left out: currency',
    ]);
  });
});

test('Kobo: a rating of several things is a matrix, and a ranking one; what interviewers are told is told', async () => {
  const head = ['type', 'name', 'label', 'required', 'relevant', 'guidance_hint', 'kobo--score-choices'];
  const form = fromXlsForm(
    readXlsForm(
      new Map([
        [
          'survey',
          [
            [...head, 'kobo--rank-items', 'kobo--rank-constraint-message'],
            ['text', 'why', 'Why?', '', '', 'Read it aloud'],
            ['begin_score', 'rated', 'How is it?', '', `\${why} != ''`, '', 'marks'],
            ['score__row', 'food', 'Food', 'true'],
            ['score__row', 'room', 'Room', 'true'],
            ['end_score'],
            ['begin_rank', 'ranked', 'Rank them', '', '', '', '', 'things', 'Not twice'],
            ['rank__level', 'first', '1st choice'],
            ['end_rank'],
            ['begin_kobomatrix', 'other', 'Other', '', '', '', ''],
            ['end_kobomatrix'],
          ],
        ],
        [
          'choices',
          [
            ['list_name', 'name', 'label'],
            ...[
              ['marks', '1', 'Bad'],
              ['marks', '2', 'Good'],
              ['things', 'tv', 'TV'],
              ['things', 'car', 'Car'],
            ],
          ],
        ],
      ]),
    ),
    'Kobo',
  );
  expect(block(form, 'How is it?')).toMatchObject({
    id: 'rated',
    type: 'matrix',
    required: true,
    rows: ['Food', 'Room'],
    columns: ['Bad', 'Good'],
  });
  expect(form.notes).toEqual([
    { about: 'Why?', text: 'What interviewers are told is left out: Read it aloud' },
    { about: 'Rank them', text: 'It asked for the first 1. Here all are put in order.' },
    { about: 'Other', text: 'It is left out: there is no question of the kind “begin_kobomatrix” here.' },
  ]);
  const sent = await answered(form, { why: 'x', rated: { Food: 'Good' }, ranked: ['Car', 'TV'] });
  expect(Object.keys(sent.body.errors)).toEqual(['rated']);
  expect((await answered(form, { ranked: ['Car', 'TV'] })).status).toBe(200);
});

test('Google Forms: which files are taken, rows that are shuffled, and that only some were required', () => {
  const upload = (...types: string[]) => ({
    title: types.join(),
    questionItem: { question: { questionId: types.join('-'), fileUploadQuestion: { types, maxFiles: 1 } } },
  });
  const grid = {
    title: 'Grid',
    questionGroupItem: {
      questions: [
        { questionId: 'a', required: true, rowQuestion: { title: 'A' } },
        { questionId: 'b', rowQuestion: { title: 'B' } },
      ],
      grid: { columns: { type: 'RADIO', options: [{ value: 'x' }] }, shuffleQuestions: true },
    },
  };
  const items = [upload('PDF', 'SPREADSHEET'), upload('ANY'), upload('DRAWING'), grid];
  const form = readText(JSON.stringify({ info: { title: 'Event' }, items }));
  expect(block(form, 'PDF,SPREADSHEET').allowed_file_types).toBe('pdf, xls, xlsx, ods, csv');
  expect(block(form, 'ANY')).not.toHaveProperty('allowed_file_types');
  expect(notesAbout(form, 'ANY')).toEqual([]);
  expect(notesAbout(form, 'DRAWING')).toEqual([
    'It took only some kinds of files. Here it takes all: DRAWING',
  ]);
  expect(notesAbout(form, 'Grid')).toEqual([
    'Its rows were shuffled. Here they stand in their order.',
    'Some of its rows were required. Here all are.',
  ]);
});

describe('Typeform', () => {
  const fields = [{ ref: 'name', type: 'short_text', title: 'Name' }];
  const ending = (screen: object) =>
    readText(JSON.stringify({ title: 'Feedback', fields, thankyou_screens: [screen] }));
  const redirect_url = 'https://example.org/';

  test('a button of the ending is a link there: nobody is led away before it is read', async () => {
    const properties = { show_button: true, button_mode: 'redirect', button_text: 'Back', redirect_url };
    const form = ending({ ref: 'end', type: 'thankyou_screen', title: 'Thank you!', properties });
    expect(form.form.submitted_text).toBe(`<p>Thank you!</p><p><a href="${redirect_url}">Back</a></p>`);
    expect(form.form).not.toHaveProperty('redirect_url');
    const sent = await answered(form, { name: 'Ada' });
    expect(sent.body).toMatchObject({ redirect: false });
  });

  test('a link in a name is written out', () => {
    const title = 'I accept [the terms](https://example.org/terms)';
    const form = readText(JSON.stringify({ title: 'A', fields: [{ ref: 'a', type: 'legal', title }] }));
    expect(form.form.properties[0]?.name).toBe('I accept the terms (https://example.org/terms)');
  });

  test('an ending that is a redirect is one; a picture is told', () => {
    const form = ending({ ref: 'end', type: 'url_redirect', title: 'Off', properties: { redirect_url } });
    expect(form.form.redirect_url).toBe(redirect_url);
    const href = 'https://images.example.org/x';
    const pictured = ending({ ref: 'end', title: 'Thanks', attachment: { type: 'image', href } });
    expect(notesAbout(pictured, '')).toEqual([`The picture or film of its ending is left out: ${href}`]);
  });
});
