import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { fieldsById, logicSentence } from '../../dashboard/form-builder/logic/logic-words.ts';
import { problemsOf } from '../../dashboard/form-builder/publishing/problems.ts';
import { type FormInput, type ImportedForm, UnreadableForm } from '../../dashboard/form-import/imported.ts';
import { readFile as readSource, readText } from '../../dashboard/form-import/read-source.ts';
import { readXlsForm } from '../../dashboard/form-import/xlsform/sheets.ts';
import { fromXlsForm } from '../../dashboard/form-import/xlsform/xlsform.ts';
import { matchColumns } from '../../dashboard/import/match-columns.ts';
import { readTable } from '../../dashboard/import/read-table.ts';
import { targetsOf } from '../../dashboard/import/targets.ts';
import { checkProperties } from '../../fields/check-properties.ts';
import type { Property } from '../../fields/property.ts';
import { serverEngines } from '../../fields/server-engines.ts';
import { useHome } from '../setup/home.ts';
import { expectCheap } from '../setup/processor-time.ts';
import { aWorkbook } from './a-workbook.ts';

const home = useHome();

const fixture = (name: string) => readFile(new URL(`fixtures/${name}.json`, import.meta.url), 'utf8');
const converted = async (name: string) => readText(await fixture(name));
const xlsForm = async () =>
  fromXlsForm(readXlsForm(new Map(Object.entries(JSON.parse(await fixture('xlsform'))))));

const byName = ({ form }: { form: FormInput }, name: string): Property => {
  const found = form.properties.find((block) => block.name === name);
  expect(found, name).toBeDefined();
  return found as Property;
};
const outline = ({ form }: { form: FormInput }) =>
  form.properties.map(({ type, name }) => `${type}: ${name}`);
const optionNames = (block: Property) =>
  ((block[block.type] as any).options as { name: string }[]).map(({ name }) => name);
const notesAbout = ({ notes }: ImportedForm, name: string) =>
  notes.filter(({ about }) => about === name).map(({ text }) => text);

/** Publishes the form through the API, so that it can be answered. */
async function published({ form }: { form: FormInput }) {
  const answer = await home.call('POST', '/open/forms', { ...form, workspace_id: home.workspaceId });
  expect(answer.status, answer.text).toBe(201);
  return answer.body;
}
/** Sends these answers. @returns the names of the questions with errors */
async function missing(form: any, answers: Record<string, unknown>): Promise<string[]> {
  const answer = await home.submit(form, answers);
  if (answer.status === 200) return [];
  expect(answer.status, answer.text).toBe(422);
  return Object.keys(answer.body.errors).map(
    (id) => form.properties.find((block: Property) => block.id === id)?.name ?? id,
  );
}

describe('whatever was read is taken by the API, and has nothing that keeps it from being published', () => {
  const names = ['typeform', 'google-forms', 'survey-js', 'formbricks', 'formbricks-blocks', 'tally'];
  const all: [string, () => Promise<ImportedForm>][] = [
    ...names.map((name) => [name, () => converted(name)] as [string, () => Promise<ImportedForm>]),
    ['xlsform', xlsForm],
    [
      'limesurvey',
      async () => readText(await readFile(new URL('fixtures/limesurvey.lss', import.meta.url), 'utf8')),
    ],
  ];
  test.each(all)('%s', async (_name, read) => {
    const { form } = await read();
    const stored = await published({ form });
    expect(stored.properties).toHaveLength(form.properties.length);
    expect(stored.properties.map(({ id }: Property) => id)).toEqual(form.properties.map(({ id }) => id));
    const definition = {
      title: form.title,
      description: null,
      submit_button_text: null,
      properties: stored.properties,
    };
    const odd = problemsOf(definition, { calculations: form.computed_variables ?? [] }).filter(
      ({ text }) => !text.startsWith('It has no text yet'),
    );
    expect(odd).toEqual([]);
    const again = await home.call('PUT', `/open/forms/${stored.id}`, stored);
    expect(again.status, again.text).toBe(200);
  });
});

test('Typeform: fields, groups, texts, jumps, and what is left out', async () => {
  const read = await converted('typeform');
  expect(read.product).toBe('Typeform');
  expect(outline(read)).toMatchInlineSnapshot(`
    [
      "nf-text: Welcome all!",
      "text: What is your name?",
      "select: Are you coming, …?",
      "select: What do you bring?",
      "text: What is your talk about?",
      "select: How large is the poster?",
      "multi_select: Topics",
      "nf-text: How do we reach you?",
      "email: Email",
      "phone_number: Phone number",
      "text: Company",
      "nf-text: About the event",
      "rating: Last year?",
      "scale: How likely is it?",
      "scale: Would you tell others?",
      "matrix: Days",
      "ranking: Put in order",
      "select: Which poster?",
      "nf-text: Nearly done, …",
      "number: How many guests?",
      "date: When do you arrive?",
      "url: Your site",
      "files: A photo",
      "checkbox: I keep to the rules",
      "text: utm_source",
      "text: ticket",
    ]
  `);
  expect(read.notes).toMatchInlineSnapshot(`
    [
      {
        "about": "Are you coming, …?",
        "text": "Its name repeats an earlier answer, which only texts and help can: “…” stands there.",
      },
      {
        "about": "Pay here",
        "text": "It is left out. Add a Payment block with its amount.",
      },
      {
        "about": "",
        "text": "Variables (score) are left out. Settings → Calculations can work out scores and prices.",
      },
      {
        "about": "How many guests?",
        "text": "Some of its logic jumps cannot be brought along. Look at Logic of the questions after it.",
      },
    ]
  `);
});

test('Google Forms', async () => {
  const read = await converted('google-forms');
  expect(read.product).toBe('Google Forms');
  expect(outline(read)).toMatchInlineSnapshot(`
    [
      "email: Email Address",
      "text: Your name",
      "text: Anything else?",
      "select: Which course?",
      "multi_select: Days",
      "select: Level",
      "nf-page-break: About the rooms",
      "nf-text: About the rooms",
      "scale: How light was it?",
      "rating: Stars",
      "date: First day",
      "text: At what time?",
      "files: Your work",
      "matrix: Teachers",
      "multi_select: Tools [Brush]",
      "multi_select: Tools [Wheel]",
      "nf-text: Thank you for coming this far",
      "nf-text: The room",
      "nf-video: Video",
    ]
  `);
  expect(read.notes).toMatchInlineSnapshot(`
    [
      {
        "about": "",
        "text": "It is a quiz: points and right answers are left out.",
      },
      {
        "about": "Which course?",
        "text": "Its answers led to sections. Give those pages logic: their options say when they are shown.",
      },
      {
        "about": "At what time?",
        "text": "It is asked as a text: hours and minutes.",
      },
      {
        "about": "The room",
        "text": "Its picture is left out: Google gives its address for half an hour only.",
      },
    ]
  `);
});

test('SurveyJS', async () => {
  const read = await converted('survey-js');
  expect(read.product).toBe('SurveyJS');
  expect(outline(read)).toMatchInlineSnapshot(`
    [
      "nf-text: A few questions",
      "text: Your name",
      "email: E-mail",
      "number: age",
      "select: Which product?",
      "multi_select: What for?",
      "select: year",
      "select: Would you buy again?",
      "text: Why not, …?",
      "nf-page-break: Prices",
      "nf-text: Prices",
      "nf-text: Numbers",
      "number: Price",
      "number: How many?",
      "nf-text: Total:",
      "rating: stars",
      "scale: Would you tell others?",
      "select: mood",
      "matrix: quality",
      "ranking: order",
      "multi_select: pick",
      "nf-page-break: page3",
      "nf-text: Nearly done, ….",
      "nf-text: address",
      "text: Street",
      "email: mail",
      "files: photo",
      "signature: sign",
      "nf-image: A banner",
      "text: code",
      "date: when",
      "text: Number",
      "text: odd",
    ]
  `);
  expect(read.notes).toMatchInlineSnapshot(`
    [
      {
        "about": "Why not, …?",
        "text": "Its name repeats an earlier answer, which only texts and help can: “…” stands there.",
      },
      {
        "about": "People",
        "text": "It is left out: it asks nothing that can be repeated here.",
      },
      {
        "about": "How many?",
        "text": "What it began with is left out, or it would be stored while it is hidden: 2",
      },
      {
        "about": "odd",
        "text": "The condition under which it is shown is left out: {people[0].name} = 'x' or sumInArray({people}, 'a') > 3",
      },
      {
        "about": "",
        "text": "Triggers are left out.",
      },
    ]
  `);
});

test('Formbricks', async () => {
  const read = await converted('formbricks');
  expect(read.product).toBe('Formbricks');
  expect(outline(read)).toMatchInlineSnapshot(`
    [
      "nf-text: Hello",
      "select: Do you like it?",
      "text: Why not?",
      "scale: Would you tell others?",
      "rating: Stars",
      "scale: Mood",
      "email: E-mail",
      "multi_select: What do you use?",
      "select: Which?",
      "checkbox: Terms",
      "date: Since when?",
      "matrix: Rate it",
      "ranking: Order",
      "nf-text: Where?",
      "text: Address line 1",
      "text: City",
      "files: A file",
      "nf-text: Look at this",
      "text: plan",
    ]
  `);
  expect(read.notes).toMatchInlineSnapshot(`
    [
      {
        "about": "Meet us",
        "text": "It is left out: there is no question of the kind “cal” here.",
      },
      {
        "about": "Look at this",
        "text": "Its button is left out. It led to https://example.org/.",
      },
    ]
  `);
});

test('Tally', async () => {
  const read = await converted('tally');
  expect(read.product).toBe('Tally');
  expect(outline(read)).toMatchInlineSnapshot(`
    [
      "nf-text: Please tell us about you.",
      "text: Your name",
      "email: E-mail",
      "text: About you",
      "select: Size",
      "multi_select: Days",
      "select: City",
      "ranking: Order",
      "matrix: Grid",
      "nf-page-break: Page",
      "nf-text: Second page",
      "scale: Scale",
      "rating: Stars",
      "date: When?",
      "text: At what time?",
      "phone_number: Phone",
      "url: Site",
      "number: How many?",
      "files: File",
      "signature: Sign",
      "text: source",
      "nf-divider: Divider",
    ]
  `);
  expect(read.notes).toMatchInlineSnapshot(`
    [
      {
        "about": "At what time?",
        "text": "It is asked as a text: hours and minutes.",
      },
      {
        "about": "",
        "text": "Conditional logic is left out. Say under Logic of each question when it is shown.",
      },
      {
        "about": "",
        "text": "A block of the kind PAYMENT is left out.",
      },
    ]
  `);
});

test('XLSForm', async () => {
  const read = await xlsForm();
  expect(outline(read)).toMatchInlineSnapshot(`
    [
      "nf-text: About you",
      "text: What is your name?",
      "number: How old are you?",
      "select: Sex",
      "select: Are you pregnant?",
      "multi_select: Which crops, …?",
      "text: What kind of maize?",
      "text: Why no rice?",
      "ranking: Put them in order",
      "nf-text: The field",
      "number: Width",
      "number: Depth",
      "nf-text: That is … square metres.",
      "text: Large field, who helps?",
      "date: Born on",
      "text: At what time?",
      "date: Visit",
      "slider: How much?",
      "files: A photo",
      "signature: Sign here",
      "barcode: Scan it",
      "location: Where is it?",
      "checkbox: I understood",
      "text: Phone",
      "repeat: Children",
      "select: Town",
      "text: Odd one",
      "text: Status",
    ]
  `);
  expect(read.notes).toMatchInlineSnapshot(`
    [
      {
        "about": "Which crops, …?",
        "text": "Its name repeats an earlier answer, which only texts and help can: “…” stands there.",
      },
      {
        "about": "At what time?",
        "text": "It is asked as a text: hours and minutes.",
      },
      {
        "about": "Town",
        "text": "Which choices are offered depended on other answers. Here all are: region = \${region}",
      },
      {
        "about": "",
        "text": "What the device recorded is left out: start. The time of a response is kept here anyway.",
      },
      {
        "about": "years",
        "text": "The calculation is left out: int((today() - \${born}) div 365.25)",
      },
      {
        "about": "Odd one",
        "text": "The condition under which it is shown is left out: count-selected(\${crops}) > 2",
      },
    ]
  `);
});

describe('what was shown under a condition is, and no other', () => {
  const person = { name: 'Ada', contact_mail: 'ada@example.org', rules: true };

  test('jumps of Typeform', async () => {
    const form = await published(await converted('typeform'));
    expect(await missing(form, { name: 'Ada', coming: 'No' })).toEqual([]);
    expect(await missing(form, { ...person, coming: 'Yes', kind: 'A talk' })).toEqual([
      'What is your talk about?',
    ]);
    expect(await missing(form, { ...person, coming: 'Yes', kind: 'A poster' })).toEqual([
      'How large is the poster?',
    ]);
    expect(await missing(form, { ...person, coming: 'Yes', kind: 'Nothing' })).toEqual([]);
    expect(await missing(form, { ...person, coming: 'Yes', kind: 'Nothing', guests: 5 })).toEqual([
      'How many guests?',
    ]);
    expect(await missing(form, { ...person, coming: 'Yes' })).toEqual([
      'What do you bring?',
      'What is your talk about?',
    ]);
  });

  test('jumps of Formbricks, from questions and from blocks', async () => {
    const form = await published(await converted('formbricks'));
    const rest = { score: 7, agree: true, 'where.addressLine1': 'Here' };
    expect(await missing(form, { ...rest, likes: 'Yes' })).toEqual([]);
    expect(await missing(form, { ...rest, likes: 'No' })).toEqual(['Why not?']);
    expect(await missing(form, { ...rest, likes: 'My own' })).toEqual(['Why not?']);
    const blocks = await published(await converted('formbricks-blocks'));
    expect(await missing(blocks, { age: 10 })).toEqual([]);
    expect(await missing(blocks, { age: 18 })).toEqual(['Your job']);
    expect(await missing(blocks, { age: 10, ces: 8 })).toEqual(['How easy was it?']);
  });

  test('expressions of SurveyJS', async () => {
    const form = await published(await converted('survey-js'));
    const rest = {
      customer: 'Ada',
      again: 'Sure',
      when: '2026-11-22',
      quality: { Light: 'Fine', Form: 'Poor' },
      'address.street': 'Here',
    };
    expect(
      await missing(form, {
        customer: 'Ada',
        product: 'A chair',
        again: 'Sure',
        when: '2026-11-22',
        'address.street': 'Here',
      }),
    ).toEqual([]);
    expect(await missing(form, { ...rest, product: 'A chair', again: 'Never' })).toEqual(['Why not, …?']);
    const adult = { ...rest, product: 'A lamp', age: 30 };
    expect(await missing(form, adult)).toEqual([]);
    expect(await missing(form, { ...adult, uses: ['work'] })).toEqual(['Price']);
    expect(await missing(form, { ...adult, uses: ['work'], age: 20 })).toEqual([]);
    expect(await missing(form, { ...adult, age: 17 })).toEqual(['age']);
    expect(await missing(form, { ...adult, age: 111 })).toEqual(['age']);
    expect(form.computed_variables.map(({ id, formula }: any) => `${id} = ${formula}`)).toEqual([
      'cv_zero = (0 + 0)',
      'cv_total = ({price} * {count})',
      'cv_double = ({cv_total} * 2)',
    ]);
    expect(await missing(form, { ...adult, code: 'AB12' })).toEqual([]);
    expect(await missing(form, { ...adult, code: 'AB1' })).toEqual(['code']);
    expect(await missing(form, { ...adult, code: 'A123' })).toEqual(['code']);
  });

  test('an answer that is required under a condition is', async () => {
    const source = JSON.parse(await fixture('xlsform'));
    source.survey.push(
      ['text', 'why', 'Why?', '', '', ageOver(60)],
      ['text', 'never', 'Never', '', '', '', 'false()'],
    );
    const form = await published(fromXlsForm(readXlsForm(new Map(Object.entries<string[][]>(source)))));
    const old = { name: 'Ada', sex: 'Male', ok: true, width: 1, depth: 1 };
    expect(await missing(form, { ...old, age: 60 })).toEqual([]);
    expect(await missing(form, { ...old, age: 61 })).toEqual(['Why?']);
    expect(form.properties.find(({ name }: Property) => name === 'Never')).toMatchObject({ hidden: true });
    const survey = await published(await converted('survey-js'));
    const person = { customer: 'Ada', product: 'Table', 'address.street': 'Here' };
    expect(await missing(survey, { ...person, again: 'Sure' })).toEqual(['when']);
    expect(await missing(survey, { ...person, again: 'Sure', when: '2026-11-22T10:00' })).toEqual([]);
  });

  test('choices that are numbers elsewhere are counted with and compared', async () => {
    const choices = [
      { value: 0, text: 'Not at all' },
      { value: 1, text: 'Some days' },
      { value: 3, text: 'Every day' },
    ];
    const source = {
      elements: [
        { type: 'radiogroup', name: 'sad', choices },
        { type: 'radiogroup', name: 'tired', choices },
        { type: 'expression', name: 'score', title: 'Score', expression: '{sad} + {tired}' },
        { type: 'text', name: 'help', title: 'Help?', isRequired: true, visibleIf: '{score} >= 4' },
        { type: 'text', name: 'often', title: 'How often?', isRequired: true, visibleIf: '{sad} > 0' },
      ],
    };
    const read = readText(JSON.stringify(source));
    expect(read.notes).toEqual([]);
    const form = await published(read);
    expect(await missing(form, {})).toEqual([]);
    expect(await missing(form, { sad: 'Not at all', tired: 'Every day' })).toEqual([]);
    expect(await missing(form, { sad: 'Some days' })).toEqual(['How often?']);
    expect(await missing(form, { sad: 'Some days', tired: 'Every day' })).toEqual(['Help?', 'How often?']);
  });

  test('relevant and constraint of XLSForm, with a calculation between', async () => {
    const form = await published(await xlsForm());
    const child = { name: 'Ada', age: 10, sex: 'Male', ok: true };
    expect(await missing(form, child)).toEqual([]);
    expect(await missing(form, { ...child, sex: 'Female' })).toEqual([]);
    expect(await missing(form, { ...child, sex: 'Female', age: 15 })).toEqual(['Are you pregnant?']);
    expect(await missing(form, { ...child, crops: ['Maize'] })).toEqual([
      'What kind of maize?',
      'Why no rice?',
    ]);
    expect(await missing(form, { ...child, crops: ['Rice'] })).toEqual([]);
    expect(await missing(form, { ...child, age: 18 })).toEqual(['Width', 'Depth']);
    expect(await missing(form, { ...child, age: 18, width: 5, depth: 4 })).toEqual([]);
    expect(await missing(form, { ...child, age: 18, width: 50, depth: 4 })).toEqual([
      'Large field, who helps?',
    ]);
    expect(await missing(form, { ...child, age: 130 })).toContain('How old are you?');
    expect(await missing(form, { ...child, phone: '12' })).toEqual(['Phone']);
    expect(await missing(form, { ...child, born: '2999-01-01' })).toEqual(['Born on']);
    expect(await missing(form, { ...child, born: new Date().toISOString().slice(0, 10) })).toEqual([]);
    const when = form.properties.find(({ name }: Property) => name === 'At what time?').id;
    expect(await missing(form, { ...child, [when]: '7:65' })).toEqual(['At what time?']);
    expect(await missing(form, { ...child, [when]: '23:59' })).toEqual([]);
  });
});

test('what browsers fill in comes along, or is known by the part of an address', async () => {
  const filled = ({ form }: { form: FormInput }) =>
    form.properties.flatMap(({ name, autocomplete }) =>
      autocomplete === undefined ? [] : [[name, autocomplete]],
    );
  expect(filled(await converted('typeform'))).toEqual([['Company', 'organization']]);
  expect(filled(await converted('formbricks'))).toEqual([
    ['Address line 1', 'address-line1'],
    ['City', 'address-level2'],
  ]);
  const texts = [
    { type: 'text', name: 'first', autocomplete: 'given-name' },
    { type: 'text', name: 'card', autocomplete: 'cc-number' },
    { type: 'text', name: 'mail', inputType: 'email', autocomplete: 'off' },
  ];
  expect(filled(readText(JSON.stringify({ elements: texts })))).toEqual([
    ['first', 'given-name'],
    ['mail', 'off'],
  ]);
});

test('a question that nobody saw is not answered by what it began with', async () => {
  const survey = {
    survey: [
      ['type', 'name', 'label', 'relevant', 'default'],
      ['select_one yn', 'smokes', 'Do you smoke?', '', ''],
      ['integer', 'cigs', 'How many a day?', `\${smokes} = 'y'`, '10'],
      ['integer', 'age', 'How old?', '', '40'],
      ['date', 'since', 'Since when?', `\${smokes} = 'y'`, 'today()'],
    ],
    choices: [
      ['list_name', 'name', 'label'],
      ['yn', 'y', 'Yes'],
      ['yn', 'n', 'No'],
    ],
  };
  const fromExcel = await readSource(new File([new Uint8Array(aWorkbook(survey))], 'smoking.xlsx'));
  const fromJson = readText(
    JSON.stringify({
      elements: [
        { type: 'radiogroup', name: 'smokes', title: 'Do you smoke?', choices: ['Yes', 'No'] },
        {
          type: 'text',
          inputType: 'number',
          name: 'cigs',
          title: 'How many a day?',
          visibleIf: "{smokes} = 'Yes'",
          defaultValue: 10,
        },
      ],
    }),
  );
  for (const read of [fromExcel, fromJson]) {
    expect(notesAbout(read, 'How many a day?')).toEqual([
      'What it began with is left out, or it would be stored while it is hidden: 10',
    ]);
    const form = await published(read);
    const answer = await home.submit(form, { smokes: 'No' });
    expect(answer.status, answer.text).toBe(200);
    const [{ data }] = await home.records(form);
    expect(data).toMatchObject({ smokes: 'No' });
    expect(data).not.toHaveProperty('cigs');
    expect(data).not.toHaveProperty('since');
  }
  expect(byName(fromExcel, 'How old?').prefill).toBe(40);
  expect(byName(fromExcel, 'How old?').whole_number).toBe(true);
});

test('branches are told as briefly as one would', async () => {
  const { form } = await converted('typeform');
  const fields = fieldsById(form.properties, []);
  const sentence = (id: string) =>
    logicSentence(form.properties.find((block) => block.id === id) as Property, fields);
  expect(sentence('talk_title')).toBe(
    'Hide when “Are you coming, …?” is No or “What do you bring?” is A poster or “What do you bring?” is Nothing',
  );
  expect(sentence('poster_size')).toBe(
    'Hide when “Are you coming, …?” is No or “What do you bring?” is not A poster',
  );
  expect(sentence('topics')).toBe('Hide when “Are you coming, …?” is No');
});

describe('texts', () => {
  test('options keep their names, and are told apart', async () => {
    const read = await converted('typeform');
    expect(optionNames(byName(read, 'How large is the poster?'))).toEqual(['A0', 'A1', 'A1 (2)']);
    expect(optionNames(byName(read, 'Topics'))).toEqual(['Databases', 'Networks', 'Tea, coffee']);
    expect(byName(read, 'Days')).toMatchObject({ rows: ['Morning', 'Evening'], columns: ['Mon', 'Tue'] });
  });

  test('past answers find their questions by name', async () => {
    const { form } = await converted('google-forms');
    const columns = ['Your name', 'Which course?', 'Teachers [Ada]', 'Tools [Brush]', 'Email Address'];
    const table = await readTable(new File([`"${columns.join('","')}"\nAda`], 'answers.csv'));
    const matched = matchColumns(table, targetsOf(form as never, table), form as never);
    expect(matched).toEqual([
      'field 2e9d0f0a',
      'field 22bb',
      'field a1 Ada',
      'field b1',
      'field email_address',
    ]);
  });

  test.each([
    ['google-forms', 'dark', 'bright'],
    ['typeform', 'Never', 'Always'],
    ['survey-js', 'never', 'always'],
    ['formbricks', 'never', 'always'],
    ['tally', 'bad', 'good'],
  ])('what the ends of a scale mean is said at them: %s', async (name, low, high) => {
    const { properties } = await published(await converted(name));
    const scales = properties.filter(({ scale_min_label: label }: Property) => label !== undefined);
    expect(scales).toMatchObject([{ type: 'scale', scale_min_label: low }]);
    expect(scales[0].scale_max_label).toBe(high);
    expect(scales[0].help ?? '').not.toContain(low);
  });

  test('earlier answers are mentioned where texts can', async () => {
    const { form } = await converted('typeform');
    expect(form.submitted_text).toContain('mention-field-id="name"');
    expect(form.properties.find(({ name }) => name === 'Nearly done, …')?.content).toContain(
      'mention-field-id="name"',
    );
    const farm = await xlsForm();
    expect(byName(farm, 'That is … square metres.').content).toContain('mention-field-id="cv_area"');
    expect(byName(await converted('formbricks'), 'Why not?').help).toContain('mention-field-id="likes"');
  });

  test('other languages come along as translations, options by their names', async () => {
    const { translations } = await published(await xlsForm());
    expect(translations.fr.properties.name.name).toBe('Votre nom ?');
    expect(translations.fr.properties.sex.labels).toEqual({ Female: 'Femme', Male: 'Homme' });
    const survey = (await converted('survey-js')).form as any;
    expect(survey.translations.de.title).toBe('Kundenumfrage');
    expect(survey.translations.de.properties.product).toEqual({
      name: 'Welches Produkt?',
      labels: { 'A lamp': 'Eine Lampe' },
    });
    const { form } = (await converted('formbricks')) as any;
    expect(form.translations.fr.properties.likes.labels).toEqual({ Yes: 'Oui', No: 'Non' });
  });

  test('ids are those of the source, unless they mean something else here', async () => {
    const farm = await xlsForm();
    expect(byName(farm, 'Width').id).toBe('width');
    expect(byName(farm, 'Status').id).toMatch(/^[0-9a-f-]{36}$/);
    expect(byName(await converted('survey-js'), 'Number').id).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('HTML is cleaned by the service', async () => {
    const form = await published(await converted('survey-js'));
    expect(form.submitted_text).toContain('We read everything.');
    expect(form.submitted_text).not.toContain('script');
  });
});

describe('what is no form, or a hostile one', () => {
  const typeform = (...fields: object[]) => JSON.stringify({ title: 'T', fields, welcome_screens: [] });

  test.each([
    ['', 'There is nothing in it.'],
    ['hello', 'This is not JSON.'],
    ['42', 'This is not from a product that is known here.'],
    ['{"a":1}', 'This is not from a product that is known here.'],
    ['{"properties":[]}', 'There are no questions in it.'],
    ['{"properties":[null,{"type":1}]}', 'There are no questions in it.'],
    ['{"items":[],"info":{"title":"x"}}', 'There are no questions in it.'],
    [`${'['.repeat(200)}${']'.repeat(200)}`, 'nested too deeply'],
  ])('%s', (text, words) => {
    expect(() => readText(text)).toThrow(UnreadableForm);
    expect(() => readText(text)).toThrow(words);
  });

  test('a language that forms cannot have', async () => {
    const source = {
      title: 'T',
      fields: [{ ref: 'a', type: 'short_text', title: 'Navn?' }],
      settings: { language: 'da' },
    };
    const read = readText(JSON.stringify(source));
    expect((await published(read)).language).toBe('en');
    expect(notesAbout(read, '')[0]).toContain('Its language is “da”');
  });

  test('titles that are code, ids that are taken, letters that cannot be stored', async () => {
    const read = readText(
      typeform(
        { ref: '__proto__', type: 'short_text', title: '<img src=x onerror=alert(1)>Name\u0000\ud800' },
        { ref: 'constructor', type: 'statement', title: '<script>alert(1)</script>Hello' },
        {
          ref: 'a"b',
          type: 'multiple_choice',
          title: '',
          properties: { choices: [{ label: '__proto__' }, {}] },
        },
        { ref: 'twice', type: 'short_text', title: 'One' },
        { ref: 'twice', type: 'short_text', title: 'Two' },
        { ref: 'n', type: 'number', title: 'N', validations: { min_value: 1e300, max_value: 'x' } },
        { type: 'dropdown', title: 'Empty' },
      ),
    );
    const form = await published(read);
    expect(form.properties.map(({ name }: Property) => name)).toEqual([
      'Name',
      'alert(1)Hello',
      'Question',
      'One',
      'Two',
      'N',
    ]);
    expect(JSON.stringify(form.properties)).not.toContain('<script');
    expect(notesAbout(read, 'Empty')).toHaveLength(1);
  });

  test('more than a form can hold is cut, and told', async () => {
    const many = Array.from({ length: 600 }, (_, index) => ({
      ref: `q${index}`,
      type: 'short_text',
      title: `Q${index}`,
    }));
    const read = readText(typeform(...many));
    expect((await published(read)).properties).toHaveLength(500);
    expect(notesAbout(read, '')).toEqual(['A form has 500 blocks at most. The last 100 are left out.']);
    const choices = Array.from({ length: 2_500 }, (_, index) => ({ label: `Choice ${index}` }));
    const long = readText(typeform({ ref: 'c', type: 'dropdown', title: 'C', properties: { choices } }));
    expect(optionNames((await published(long)).properties[0])).toHaveLength(2_000);
    const ranked = readText(
      typeform({ ref: 'r', type: 'ranking', title: 'R', properties: { choices } }, ...many.slice(0, 2)),
    );
    expect((await published(ranked)).properties).toHaveLength(2);
    const words = readText(typeform({ ref: 'x', type: 'short_text', title: 'x'.repeat(2_000) }));
    await published({ form: { ...words.form, title: words.form.title } });
    expect(() =>
      readText(typeform(...many.map((field) => ({ ...field, title: 'x'.repeat(3_000) })))),
    ).toThrow('too large');
  });

  test('hundreds of jumps take no time, and those nobody could read are told', async () => {
    const fields = Array.from({ length: 400 }, (_, index) => ({
      ref: `q${index}`,
      type: 'yes_no',
      title: `Q${index}`,
    }));
    const logic = fields.map(({ ref }, index) => ({
      ref,
      actions: Array.from({ length: 20 }, (_, step) => ({
        action: 'jump',
        details: { to: { type: 'field', value: `q${index + 2 + 7 * step}` } },
        condition: {
          op: 'is',
          vars: [
            { type: 'field', value: `q${Math.max(0, index - step)}` },
            { type: 'constant', value: true },
          ],
        },
      })),
    }));
    await expectCheap(15_000, () => {
      const read = readText(JSON.stringify({ title: 'T', fields, logic }));
      expect(notesAbout(read, 'Q10')).toHaveLength(1);
      expect({ ...checkProperties(read.form.properties, serverEngines) }).toEqual({});
    });
  });

  test('an XLSForm with other cells, and a file with other bytes, is one or is told to be none', async () => {
    const random = aRandom(11);
    const sheets = await fixture('xlsform');
    const file = aWorkbook(JSON.parse(sheets));
    const below = (limit: number) => Math.floor(random() * limit);
    const withOtherCells = () => {
      const source = JSON.parse(sheets);
      for (let change = 0; change < 6; change += 1) {
        const rows: string[][] = source[random() < 0.8 ? 'survey' : 'choices'];
        const row = rows[below(rows.length)] ?? [];
        const other = rows[below(rows.length)] ?? [];
        row[below(row.length)] = other[below(other.length)] ?? '';
      }
      return Buffer.from(aWorkbook(source));
    };
    const withOtherBytes = () => {
      const bytes = Buffer.from(file);
      for (let change = 0; change < 3; change += 1) bytes[below(bytes.length)] = below(256);
      return bytes;
    };
    for (let round = 0; round < 120; round += 1) {
      const bytes = round % 3 === 0 ? withOtherBytes() : withOtherCells();
      try {
        const { form } = await readSource(new File([bytes], 'farm.xlsx'));
        expect({ ...checkProperties(form.properties, serverEngines) }).toEqual({});
        if (round % 30 === 1) await published({ form });
      } catch (error) {
        if (!(error instanceof UnreadableForm)) throw error;
      }
    }
  });

  test('whatever is missing or something else, it is a form or it is told that it is none', async () => {
    const random = aRandom(7);
    for (const name of [
      'typeform',
      'google-forms',
      'survey-js',
      'formbricks',
      'formbricks-blocks',
      'tally',
    ]) {
      const text = await fixture(name);
      for (let round = 0; round < 150; round += 1) {
        const source = JSON.parse(text);
        for (let change = 0; change < 4; change += 1) spoil(source, random);
        let read: ImportedForm;
        try {
          read = readText(JSON.stringify(source));
        } catch (error) {
          expect(error, JSON.stringify(source)).toBeInstanceOf(UnreadableForm);
          continue;
        }
        const { form } = read;
        const problems = checkProperties(form.properties, serverEngines);
        expect({ ...problems }, JSON.stringify(source)).toEqual({});
        if (round % 30 === 0) await published(read);
      }
    }
  });
});

const ageOver = (years: number) => `$\{age} > ${years}`;

/** Numbers from 0 to 1, the same in every run. */
function aRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}

const JUNK = [null, true, -1, 1e300, '', 'x', '{{field:x}} {x}', [], {}, [null, 'a', { b: [] }], '\u0000'];

/** Replaces something in it by junk, or removes it. */
function spoil(source: any, random: () => number): void {
  let at = source;
  for (let depth = 0; depth < 12; depth += 1) {
    const keys = Object.keys(at);
    const key = keys[Math.floor(random() * keys.length)];
    if (key === undefined) return;
    const inner = at[key];
    if (typeof inner === 'object' && inner !== null && Object.keys(inner).length > 0 && random() < 0.85)
      at = inner;
    else {
      at[key] = structuredClone(JUNK[Math.floor(random() * JUNK.length)]);
      return;
    }
  }
}
