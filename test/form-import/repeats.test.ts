import { expect, test } from 'vitest';
import type { ImportedForm } from '../../dashboard/form-import/imported.ts';
import { readText } from '../../dashboard/form-import/read-source.ts';
import { readXlsForm } from '../../dashboard/form-import/xlsform/sheets.ts';
import { fromXlsForm } from '../../dashboard/form-import/xlsform/xlsform.ts';
import { checkProperties } from '../../fields/check-properties.ts';
import type { Property } from '../../fields/property.ts';
import { serverEngines } from '../../fields/server-engines.ts';
import { useHome } from '../setup/home.ts';

/** Questions that other products repeat for several entries become repeated questions. */
const home = useHome();

const HEAD = ['type', 'name', 'label::English (en)', 'label::Français (fr)', 'hint::English (en)'];
const MORE = ['required', 'relevant', 'constraint', 'appearance', 'default', 'repeat_count', 'calculation'];
/** How an expression names a question. */
const at = (name: string) => ['$', '{', name, '}'].join('');
/** A row of a survey; unnamed cells are empty. */
const row = (cells: Record<string, string>) => [...HEAD, ...MORE].map((key) => cells[key] ?? '');
const asked = (type: string, name = '', label = '', more: Record<string, string> = {}) =>
  row({ type, name, 'label::English (en)': label, ...more });
const xlsForm = (...rows: string[][]) =>
  fromXlsForm(
    readXlsForm(
      new Map([
        ['survey', [[...HEAD, ...MORE], ...rows]],
        [
          'choices',
          [
            ['list_name', 'name', 'label::English (en)', 'label::Français (fr)'],
            ['sex', 'f', 'Female', 'Femme'],
            ['sex', 'm', 'Male', 'Homme'],
          ],
        ],
        ['settings', [['form_title'], ['Household survey']]],
      ]),
    ),
  );

const outline = ({ form }: ImportedForm) =>
  form.properties.map(({ type, name, questions }) => {
    const inner = ((questions ?? []) as unknown as Property[]).map((one) => `${one.type} ${one.name}`);
    return inner.length === 0 ? `${type} ${name}` : `${type} ${name}: ${inner.join(', ')}`;
  });
const told = ({ notes }: ImportedForm) => notes.map(({ about, text }) => `${about}: ${text}`);
const first = ({ form }: ImportedForm, type = 'repeat') => form.properties.find((one) => one.type === type)!;

async function stored({ form }: ImportedForm) {
  expect(checkProperties(form.properties, serverEngines)).toEqual({});
  const answer = await home.call('POST', '/open/forms', { ...form, workspace_id: home.workspaceId });
  expect(answer.status, answer.text).toBe(201);
  return answer.body;
}

test('a repeat of an XLSForm, with its languages, its number of entries and what depends on it', async () => {
  const read = xlsForm(
    asked('text', 'head', 'Head of the household', { required: 'yes' }),
    asked('begin repeat', 'members', 'Members', {
      'label::Français (fr)': 'Membres',
      'hint::English (en)': 'Everybody who sleeps here',
    }),
    asked('text', 'member', 'Name', {
      required: 'yes',
      'label::Français (fr)': 'Nom',
      'hint::English (en)': 'As **written** down',
    }),
    asked('integer', 'age', 'Age', { constraint: '. < 120' }),
    asked('select_one sex', 'sex', 'Sex', { appearance: 'minimal' }),
    asked('end repeat'),
    asked('text', 'why', 'Why so many?', { relevant: `count(${at('members')}) > 8`, required: 'yes' }),
  );
  expect(outline(read)).toEqual([
    'text Head of the household',
    'repeat Members: text Name, number Age, select Sex',
    'text Why so many?',
  ]);
  expect(told(read)).toEqual(['Age: What is checked of its answer is left out: . < 120']);
  const block = first(read);
  expect(block).toMatchObject({ id: 'members', help: '<p>Everybody who sleeps here</p>' });
  expect((block.questions as any)[1]).toMatchObject({ type: 'number', whole_number: true });
  expect((block.questions as any)[0]).toEqual({
    id: 'member',
    type: 'text',
    name: 'Name',
    required: true,
    help: 'As written down',
  });
  expect((read.form.translations as any).fr.properties.members).toEqual({
    name: 'Membres',
    questions: { member: { name: 'Nom' }, sex: { labels: { Female: 'Femme', Male: 'Homme' } } },
  });
  const form = await stored(read);
  const members = Array.from({ length: 9 }, (_, index) => ({
    member: `No. ${index}`,
    age: index,
    sex: 'Female',
  }));
  expect((await home.submit(form, { head: 'Ada', members: [{ age: 3 }] })).status).toBe(422);
  expect((await home.submit(form, { head: 'Ada', members, why: 'Cousins' })).status).toBe(200);
  const [record] = await home.records(form);
  expect(record.data).toMatchObject({ members, why: 'Cousins' });
  expect((await home.submit(form, { head: 'Ada', members })).body.errors).toHaveProperty('why');
  expect((await home.submit(form, { head: 'Ada', members: members.slice(1) })).status).toBe(200);
});

test('what of an XLSForm cannot be asked for every entry is told, and asked once where it can', async () => {
  const read = xlsForm(
    asked('integer', 'num', 'How many plots?'),
    asked('begin repeat', 'plots', 'Plots', { repeat_count: at('num'), relevant: `${at('num')} > 0` }),
    asked('note', 'intro', 'Walk around each plot.'),
    asked('begin group', 'soil', 'Soil', { relevant: `${at('kind')} = 'x'` }),
    asked('text', 'kind', 'Kind of soil', { required: 'yes' }),
    asked('end group'),
    asked('geopoint', 'corner', 'A corner'),
    asked('image', 'photo', 'Photo', { required: 'yes' }),
    asked('file', 'deed', 'Deed', { required: `${at('num')} > 1` }),
    asked('hidden', 'code', 'Code'),
    asked('date', 'sown', 'Sown on', { default: 'today()' }),
    asked('calculate', 'years', '', { calculation: `int(${at('sown')})` }),
    asked('begin repeat', 'crops', 'Crops'),
    asked('text', 'crop', 'Crop'),
    asked('end repeat'),
    asked('end repeat'),
    asked('begin repeat', 'nothing', 'Nothing'),
    asked('end repeat'),
    asked('begin repeat', 'twins', 'Twins', { repeat_count: '2' }),
    asked('text', 'twin', 'Twin'),
    asked('end repeat'),
  );
  expect(outline(read)).toEqual([
    'number How many plots?',
    'nf-text Walk around each plot.',
    'repeat Plots: text Kind of soil, text A corner, date Sown on',
    'files Photo',
    'files Deed',
    'repeat Crops: text Crop',
    'repeat Twins: text Twin',
  ]);
  expect(told(read)).toEqual([
    'Soil: Its heading is left out: entries have no parts.',
    'Crops: It was repeated within what is repeated. Here it is asked once, below.',
    `Plots: How often it was asked depended on an answer. Here everybody adds entries: ${at('num')}`,
    'Kind of soil: Where it was shown it was required. Here it is not.',
    `Deed: It was required under a condition, which is left out: ${at('num')} > 1`,
    'A corner: It is asked as a text: entries have no such question.',
    'Photo: It was asked for every entry of “Plots”. Here it is asked once, below.',
    'Photo: It was required for every entry. Here it is not.',
    'Deed: It was asked for every entry of “Plots”. Here it is asked once, below.',
    'Code: It is left out: it was hidden, which questions of “Plots” cannot be.',
    'Sown on: What it began with is left out.',
    `Kind of soil: The condition under which it is shown is left out: ${at('kind')} = 'x'`,
    'Nothing: It is left out: it asks nothing that can be repeated here.',
    `years: The calculation is left out: int(${at('sown')})`,
  ]);
  const [plots, crops, twins] = read.form.properties.filter(({ type }) => type === 'repeat');
  expect((plots!.questions as any)[0].required).toBe(false);
  expect([plots!.logic !== undefined, crops!.logic !== undefined]).toEqual([true, true]);
  expect(first(read, 'files')).toMatchObject({ required: false, hidden: true });
  expect(read.form.properties.find(({ name }) => name === 'Deed')!.logic).toMatchObject({
    actions: ['show-block'],
  });
  expect(twins).toMatchObject({ min_entries: 2, max_entries: 2 });
  await stored(read);
});

test('panels and tables of SurveyJS that people add to', async () => {
  const survey = {
    title: 'Registration',
    pages: [
      {
        name: 'page1',
        elements: [
          { type: 'text', name: 'guest' },
          {
            type: 'paneldynamic',
            name: 'relatives',
            title: { default: 'Relatives', de: 'Verwandte' },
            templateTitle: 'Relative #{panelIndex}',
            minPanelCount: 1,
            maxPanelCount: 4,
            description: 'Who comes along',
            requiredIf: "{guest} = 'yes'",
            templateElements: [
              { type: 'text', name: 'who', title: { default: 'Who?', de: 'Wer?' }, isRequired: true },
              {
                type: 'radiogroup',
                name: 'side',
                title: 'Side',
                choices: [{ value: 'm', text: { default: 'Mother', de: 'Mutter' } }, 'Father'],
              },
              {
                type: 'comment',
                name: 'note',
                title: 'Note',
                isRequired: true,
                visibleIf: "{panel.side} = 'm'",
              },
              { type: 'boolean', name: 'alive', title: 'Alive' },
              { type: 'rating', name: 'closeness', title: 'How close?' },
              { type: 'file', name: 'photo', title: 'Photo', isRequired: true },
            ],
          },
          {
            type: 'matrixdynamic',
            name: 'order',
            title: 'Order',
            rowCount: 2,
            maxRowCount: 10,
            choices: ['Red', 'Blue'],
            columns: [
              { name: 'article', title: 'Article', cellType: 'text', isRequired: true },
              { name: 'amount', title: 'Amount', cellType: 'text', inputType: 'number' },
              { name: 'color', title: 'Color' },
              { name: 'wrapped', title: 'Extras', cellType: 'checkbox', choices: ['Wrapped', 'Card'] },
            ],
          },
          { type: 'text', name: 'invoice', title: 'Invoice to', visibleIf: '{order.length} >= 2' },
        ],
      },
    ],
  };
  const read = readText(JSON.stringify(survey));
  expect(outline(read)).toEqual([
    'text guest',
    'repeat Relatives: text Who?, select Side, text Note, select Alive, number How close?',
    'files Photo',
    'repeat Order: text Article, number Amount, select Color, multi_select Extras',
    'text Invoice to',
  ]);
  expect(told(read)).toEqual([
    "Note: “visibleIf” is left out: {panel.side} = 'm'",
    'How close?: It is asked as a number: entries have no such question.',
    'Photo: It was asked for every entry of “Relatives”. Here it is asked once, below.',
    'Photo: It was required for every entry. Here it is not.',
    'Order: It began with 2 entries. Here it begins with 1.',
  ]);
  expect(first(read)).toMatchObject({ entry_name: 'Relative', min_entries: 1, max_entries: 4 });
  expect(first(read).logic).toMatchObject({ actions: ['require-answer'] });
  expect(first(read, 'files')).toMatchObject({ required: false });
  expect(first(read, 'files').logic).toBeUndefined();
  expect((first(read).questions as any)[2]).toMatchObject({ multi_lines: true, required: false });
  expect((read.form.translations as any).de.properties.relatives).toEqual({
    name: 'Verwandte',
    questions: { who: { name: 'Wer?' }, side: { labels: { Mother: 'Mutter' } } },
  });
  const form = await stored(read);
  const answers = {
    relatives: [{ who: 'Ann', side: 'Mother', alive: 'Yes', closeness: 4 }],
    order: [{ article: 'Tea', amount: 2, color: 'Red', wrapped: ['Card'] }, { article: 'Cup' }],
    invoice: 'Ada',
  };
  expect((await home.submit(form, answers)).status).toBe(200);
  expect((await home.records(form))[0].data).toMatchObject(answers);
});

test('more questions than can be repeated are asked once', async () => {
  const columns = Array.from({ length: 22 }, (_, index) => ({ name: `c${index}`, cellType: 'text' }));
  const source = { title: 'Wide', elements: [{ type: 'matrixdynamic', name: 'wide', columns }] };
  const read = readText(JSON.stringify(source));
  expect(first(read).questions).toHaveLength(20);
  expect(outline(read).slice(1)).toEqual(['text c20', 'text c21']);
  expect(told(read)).toEqual([
    'c20: It is asked once, below “wide”: 20 questions can be repeated.',
    'c21: It is asked once, below “wide”: 20 questions can be repeated.',
  ]);
  await stored(read);
});

test('repeated questions without a name are not taken for what a condition asks about', () => {
  const read = xlsForm(
    asked('integer', 'n', 'How many?'),
    asked('begin repeat', '', 'Kids'),
    asked('text', 'kid', 'Name'),
    asked('end repeat'),
    asked('text', 'why', 'Why?', { relevant: `${at('n')} > 3` }),
  );
  const { conditions } = read.form.properties[2]!.logic as any;
  expect(conditions.children).toMatchObject([
    { identifier: 'n', value: { operator: 'greater_than', value: 3 } },
  ]);
});

test('whatever panels and tables of SurveyJS can besides is told, once, and what is the usual is not', async () => {
  const survey = {
    locale: 'en',
    elements: [
      {
        type: 'paneldynamic',
        name: 'people',
        title: 'People',
        readOnly: true,
        keyName: 'email',
        templateTitle: '{panel.email}',
        templateVisibleIf: '{panel.a} > 1',
        valueName: 'everybody',
        copyDefaultValueFromLastEntry: true,
        allowRemovePanel: false,
        confirmDelete: true,
        panelCount: 3,
        minPanelCount: 2,
        displayMode: 'tab',
        newPanelPosition: 'next',
        addPanelText: 'One more',
        removePanelText: { default: 'Away', de: 'Weg' },
        showNumber: true,
        noEntriesText: 'Nobody yet',
        requiredErrorText: { default: 'Please!', de: 'Bitte!' },
        keyDuplicationError: 'Twice',
        bindings: { panelCount: 'count' },
        clearIfInvisible: 'none',
        templateElements: [{ type: 'text', name: 'email', inputType: 'email' }],
      },
      {
        type: 'matrixdynamic',
        name: 'order',
        title: 'Order',
        rowCount: 1,
        allowRowReorder: true,
        rowsVisibleIf: '{item} notempty',
        alternateRows: true,
        showCommentArea: true,
        emptyRowsText: 'None',
        columns: [
          { name: 'article', title: 'Article', cellType: 'text', isUnique: true },
          { name: 'price', cellType: 'text', inputType: 'number', totalType: 'sum' },
          { name: 'rest', cellType: 'text', totalType: 'none' },
        ],
      },
      {
        type: 'paneldynamic',
        name: 'plain',
        displayMode: 'list',
        allowRemovePanel: true,
        confirmDelete: false,
        panelCount: 1,
        copyDefaultValueFromLastEntry: false,
        newPanelPosition: 'last',
        keyName: '',
        templateElements: [{ type: 'text', name: 'word' }],
      },
    ],
  };
  const read = readText(JSON.stringify(survey));
  expect(told(read)).toEqual([
    'People: What an entry is called is left out: {panel.email}',
    'People: “email” had to be another one in every entry. Here it may be the same.',
    'People: “templateVisibleIf” is left out: {panel.a} > 1',
    'People: It had its entries in common with others called “everybody”. Here it has its own.',
    'People: A new entry began as the last one was. Here it begins empty.',
    'People: Nobody could remove entries. Here everybody can.',
    'People: It asked before an entry was removed. Here it does not.',
    'People: It began with 3 entries. Here it begins with 2.',
    'People: It showed one entry at a time. Here they stand below each other.',
    'People: A new entry came behind the one that was shown. Here it comes last.',
    'People: The words of its buttons are left out.',
    'People: What it said without entries is left out.',
    'People: “requiredErrorText” is left out: Please!',
    'People: “bindings” is left out: count',
    'People: “clearIfInvisible” is left out: none',
    'Order: Entries could be put in another order. Here they stay in theirs.',
    'Order: “rowsVisibleIf” is left out: {item} notempty',
    'Order: What could be added in own words is left out.',
    'Order: What it said without entries is left out.',
    'Order: “Article” had to be another one in every entry. Here it may be the same.',
    'Order: The total of “price” is left out.',
  ]);
  expect(first(read)).toMatchObject({ disabled: true, min_entries: 2 });
  expect(first(read).entry_name).toBeUndefined();
  await stored(read);
});

test('what entries lose is told', async () => {
  const survey = {
    elements: [
      {
        type: 'matrixdynamic',
        name: 'order',
        rowCount: 4,
        allowAddRows: false,
        defaultValue: [{ a: 'x' }],
        columns: [{ name: 'article', cellType: 'text' }],
        detailPanelMode: 'underRow',
        detailElements: [{ type: 'comment', name: 'wishes' }],
      },
      {
        type: 'paneldynamic',
        name: 'staff',
        maxPanelCount: 200,
        templateElements: [
          { type: 'text', name: 'pin', inputType: 'password' },
          { type: 'text', name: 'from', inputType: 'time' },
          { type: 'text', name: 'rank', inputType: 'number', min: 1, max: 5 },
          { type: 'text', name: 'since', inputType: 'date', min: '2020-01-01' },
        ],
      },
      {
        type: 'paneldynamic',
        name: 'fixed',
        allowAddPanel: false,
        templateElements: [{ type: 'text', name: 'word' }],
      },
    ],
  };
  const read = readText(JSON.stringify(survey));
  expect(outline(read)).toEqual([
    'repeat order: text article, text wishes',
    'repeat staff: text pin, text from, number rank, date since',
    'repeat fixed: text word',
  ]);
  expect(first(read)).toMatchObject({ max_entries: 4 });
  const checked = 'What is checked of its answer is left out';
  expect(told(read)).toEqual([
    'order: What it began with is left out.',
    'from: It is asked as a text: hours and minutes.',
    `since: ${checked}: Enter at least 2020-01-01.`,
    'staff: That it had 200 entries is left out. Here it can have 100 at most.',
    'pin: What is typed was hidden. Here it can be read.',
    `from: ${checked}.`,
    'fixed: Nobody could add entries. Here everybody can.',
  ]);
  const rank = { name: 'rank', number_min_value: 1, number_max_value: 5 };
  expect(read.form.properties[1]?.questions).toContainEqual(expect.objectContaining(rank));
  await stored(read);
});
