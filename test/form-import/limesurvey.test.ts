import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { type ImportedForm, UnreadableForm } from '../../dashboard/form-import/imported.ts';
import { readFile as readSource, readText } from '../../dashboard/form-import/read-source.ts';
import type { Property } from '../../fields/property.ts';
import { useHome } from '../setup/home.ts';
import { expectCheap } from '../setup/processor-time.ts';
import { aSurvey, documentOf, type LimeQuestionInput, type LimeSurveyInput } from './a-survey.ts';

const home = useHome();

const library = async () =>
  readText(await readFile(new URL('fixtures/limesurvey.lss', import.meta.url), 'utf8'));
const read = (questions: LimeQuestionInput[], about?: LimeSurveyInput) =>
  readText(aSurvey([questions], about));
const block = ({ form }: ImportedForm, id: string) =>
  form.properties.find((one) => one.id === id) as Property;
const outline = ({ form }: ImportedForm) =>
  form.properties.map(({ type, name, required }) => `${type}: ${name}${required === true ? ' *' : ''}`);
const notes = (form: ImportedForm) => form.notes.map(({ about, text }) => `${about}: ${text}`);

async function published({ form }: ImportedForm) {
  const answer = await home.call('POST', '/open/forms', { ...form, workspace_id: home.workspaceId });
  expect(answer.status, answer.text).toBe(201);
  return answer.body;
}
/** The ids of questions whose answers are refused. */
async function refused(form: any, answers: Record<string, unknown>): Promise<string[]> {
  const answer = await home.submit(form, answers);
  return answer.status === 200 ? [] : Object.keys(answer.body.errors);
}

test('all kinds of questions, pages, texts, and what is left out', async () => {
  const form = await library();
  expect(form.product).toBe('LimeSurvey');
  expect(outline(form)).toMatchInlineSnapshot(`
    [
      "nf-text: Welcome to our survey.",
      "nf-page-break: About you",
      "nf-text: About you",
      "text: What is your name? *",
      "text: E-mail",
      "text: Why do you come, …?",
      "number: How old are you?",
      "date: Member since",
      "date: Last visit",
      "select: Gender",
      "nf-page-break: Your visits",
      "nf-text: Your visits",
      "nf-text: All of them.",
      "select: Will you come again? *",
      "text: Why not?",
      "select: Which branch?",
      "select: Which day?",
      "select: How is the staff?",
      "text: How is the staff? [Comment]",
      "multi_select: What do you use?",
      "text: Which books?",
      "multi_select: What do you miss?",
      "text: What do you miss? [Coffee][Comment]",
      "text: What do you miss? [Quiet][Comment]",
      "ranking: Put in order",
      "nf-page-break: Opinions",
      "nf-text: Opinions",
      "scale: Your mark",
      "matrix: Rate these",
      "matrix: Is it true? *",
      "matrix: Do you agree?",
      "text: How much?",
      "matrix: How important, how good? [Importance]",
      "matrix: How important, how good? [Quality]",
      "multi_select: Where did you see it? [Poster]",
      "nf-text: How many hours?",
      "number: Monday [Morning]",
      "number: Monday [Evening]",
      "nf-text: Notes",
      "text: Reading room [Good]",
      "text: Reading room [Bad]",
      "nf-page-break: More",
      "nf-text: More",
      "nf-text: How do we reach you?",
      "text: Street *",
      "text: City *",
      "nf-text: How many did you borrow?",
      "number: Books",
      "number: Films",
      "files: A photo of your card",
      "nf-text: You borrowed … things.",
    ]
  `);
  expect(notes(form)).toMatchInlineSnapshot(`
    [
      "Why do you come, …?: Its name repeats an earlier answer, which only texts and help can: “…” stands there.",
      "Language: It is left out: people choose the language on the page of the form itself.",
      "Why do you come, …?: People were asked once more before they could leave it open. Here they may leave it open.",
      "Do you agree?: Which of its options or rows were offered depended on the answers to use. Here all are.",
      "How many did you borrow?: What its numbers add up to is left out: at most 99",
      ": Quotas are left out: Enough of the harbour",
      ": The texts in “de-informal” are left out: the form has texts in that language already.",
    ]
  `);
  expect(form.form).toMatchObject({
    title: 'Library survey',
    language: 'en',
    show_progress_bar: true,
    submitted_text: '<p>Thank you!</p><p><a href="https://example.org/library">Our library</a></p>',
    computed_variables: [{ id: 'cv_total', name: 'total', formula: '({count_b} + {count_f})' }],
  });
  expect(block(form, 'branch')).toMatchObject({
    select: { options: [{ id: 'A1', name: 'City & Castle' }, { id: 'A2' }] },
    prefill: 'Harbour',
    allow_creation: true,
    without_dropdown: true,
  });
  expect(block(form, 'age')).toMatchObject({
    number_min_value: 6,
    number_max_value: 120,
    whole_number: true,
    placeholder: 'years',
  });
  expect(block(form, 'proof')).toMatchObject({ allowed_file_types: 'png, jpg', max_file_size: 2 });
  expect((form.form.translations as any).de).toMatchObject({
    title: 'Umfrage der Bücherei',
    properties: {
      name: { name: 'Wie heißen Sie?', help: 'Wie auf Ihrer <b>Karte</b>.' },
      again: { labels: { Yes: 'Ja', No: 'Nein' } },
      true: { labels: { 'It is warm': 'Es ist warm', Uncertain: 'Unsicher' } },
      hours_mo_am: { name: 'Montag [Morgens]' },
      mail: { error_message: 'Geben Sie eine Adresse an.' },
    },
  });
});

test('the form is answered with its conditions and checks', async () => {
  const form = await published(await library());
  const enough = { name: 'Ada', again: 'No', contact_street: 'A', contact_city: 'B' };
  expect(await refused(form, {})).toEqual(['name', 'again', 'contact_street', 'contact_city']);
  expect(await refused(form, { ...enough, again: 'Yes' })).toEqual(['true']);
  expect(await refused(form, { ...enough, mail: 'ada', since: '2000-12-31', age: 5 })).toEqual([
    'mail',
    'age',
    'since',
  ]);
  const answers = { ...enough, again: 'Yes', age: 18, true: { 'It is warm': 'Yes', 'It is loud': 'No' } };
  expect(await refused(form, { ...answers, use: ['Books', 'Wi-Fi'] })).toEqual([]);
  expect(await refused(form, { ...answers, use: ['Books', 'Wi-Fi', 'Nothing'] })).toEqual(['use']);
  expect(await refused(form, { ...answers, use: ['Nothing'] })).toEqual([]);
  expect(await refused(form, { ...answers, use: ['Books', 'Nothing'] })).toEqual(['use']);
});

describe('expressions', () => {
  const asked: LimeQuestionInput[] = [
    { type: 'N', code: 'n' },
    { type: 'L', code: 'l', options: { '1': 'One', '2': 'Two', '3': 'Three' } },
    { type: 'M', code: 'm', rows: { a: 'Ant', b: 'Bee' } },
    { type: 'F', code: 'f', rows: { r: 'Row' }, options: { x: 'X', y: 'Y' } },
    { type: 'S', code: 's' },
    { type: 'Q', code: 'q', rows: { x: 'Ex' } },
    { type: 'S', code: 'h', relevance: 'n.NAOK > 3' },
  ];
  const is = (identifier: string, operator: string, value: unknown) => ({
    identifier,
    value: expect.objectContaining({ operator, value }),
  });
  const and = (...children: object[]) => ({ operatorIdentifier: 'and', children });
  const or = (...children: object[]) => ({ operatorIdentifier: 'or', children });

  test.each([
    ['n.NAOK >= 3 && l == "2"', and(is('n', 'greater_than_or_equal_to', 3), is('l', 'equals', 'Two'))],
    [
      '((4711X1X1.NAOK == "3") OR (4711X1X3b.NAOK eq "Y"))',
      or(is('n', 'equals', 3), is('m', 'contains', 'Bee')),
    ],
    ['l.NAOK ge 2', or(is('l', 'equals', 'Two'), is('l', 'equals', 'Three'))],
    ['m_a.NAOK == ""', and(is('m', 'does_not_contain', 'Ant'))],
    ['! is_empty(m_a)', and(is('m', 'contains', 'Ant'))],
    ['count(that.m.NAOK) > 0', and(is('m', 'is_not_empty', true))],
    ['m.NAOK == "b"', and(is('m', 'contains', 'Bee'))],
    ["f_r.NAOK != 'x'", and(is('f', 'does_not_contain', { Row: 'X' }))],
    ['!is_empty(f_r.NAOK)', or(is('f', 'contains', { Row: 'X' }), is('f', 'contains', { Row: 'Y' }))],
    [
      'is_empty(s) || strlen(s) > 5',
      or(is('s', 'is_empty', true), is('s', 'content_length_greater_than', 5)),
    ],
    ['q_x == "b"', and(is('q_x', 'equals', 'b'))],
    // Without NAOK it is not true unless the question was asked.
    ['h != "a"', and(is('h', 'does_not_equal', 'a'), is('n', 'greater_than', 3))],
    ['h.NAOK != "a"', and(is('h', 'does_not_equal', 'a'))],
  ])('%s', (relevance, conditions) => {
    const form = read([...asked, { type: 'S', code: 'shown', relevance }]);
    expect(block(form, 'shown')).toMatchObject({
      hidden: true,
      logic: { conditions, actions: ['show-block'] },
    });
    expect(form.notes).toEqual([]);
  });

  test.each([
    'n = 3',
    'count(m_a, m_b) > 1',
    'TOKEN:ATTRIBUTE_1 == "x"',
    'regexMatch("/a/i", s)',
    'm_other != ""',
    'l.shown == "One"',
    'unknown == 1',
    'n >',
    'self.sq_01 == "Y"',
  ])('%s is told, and the question is asked', (relevance) => {
    const form = read([...asked, { type: 'S', code: 'shown', text: 'Shown', relevance }]);
    expect(block(form, 'shown').hidden).toBe(false);
    expect(notes(form)).toEqual([`Shown: The condition under which it is shown is left out: ${relevance}`]);
  });

  test('conditions of groups, of rows that are questions, and of rows that cannot have one', async () => {
    const form = readText(
      aSurvey(
        [
          [{ type: 'Y', code: 'y' }],
          [
            {
              type: 'Q',
              code: 'q',
              mandatory: 'Y',
              rows: { a: 'A', b: 'B' },
              rowRelevance: { b: 'y == "N"' },
            },
            { type: 'A', code: 'm', text: 'Marks', rows: { a: 'A' }, rowRelevance: { a: 'y == "N"' } },
          ],
        ],
        { groups: [{}, { grelevance: 'y.NAOK != "Y"', randomization_group: 'r' }] },
      ),
    );
    const stored = await published(form);
    expect(await refused(stored, { y: 'Yes' })).toEqual([]);
    expect(await refused(stored, { y: 'No' })).toEqual(['q_a', 'q_b']);
    expect(await refused(stored, {})).toEqual(['q_a']);
    expect(notes(form)).toEqual([
      'Group 2: Its questions changed places with other groups. Here they stay in their places.',
      'Marks: When “A” is asked is left out. Here it always is: y == "N"',
    ]);
  });

  test('conditions of old surveys, which have no expressions', () => {
    const condition = (cfieldname: string, value: string, scenario = '1', method = '==') => ({
      qid: '3',
      scenario,
      cfieldname,
      method,
      value,
    });
    const form = read(
      [
        { type: 'L', code: 'l', options: { a: 'A', b: 'B' } },
        { type: 'M', code: 'm', rows: { x: 'X' } },
        { type: 'S', code: 's' },
      ],
      {
        conditions: [
          condition('4711X1X1', 'a'),
          condition('4711X1X1', 'b'),
          condition('+4711X1X2x', 'Y'),
          condition('4711X1X1', '', '2'),
        ],
      },
    );
    expect(block(form, 's').logic).toMatchObject({
      conditions: or(
        and(or(is('l', 'equals', 'A'), is('l', 'equals', 'B')), is('m', 'contains', 'X')),
        is('l', 'is_empty', true),
      ),
    });
  });
});

test('limits, also by other answers, and default values', async () => {
  const form = read([
    { type: 'N', code: 'age', attributes: { min_num_value_n: '.5' } },
    {
      type: 'N',
      code: 'married',
      text: 'Married',
      attributes: { max_num_value_n: 'age', min_num_value_n: 'age - 80' },
    },
    { type: 'D', code: 'day', defaults: { '': "{date('Y-m-d')}" } },
    { type: 'M', code: 'm', rows: { a: 'A', b: 'B' }, defaults: { b: 'Y' } },
    { type: 'S', code: 's', text: 'S', defaults: { '': '{age + 1}' } },
    {
      type: 'K',
      code: 'k',
      rows: { a: 'A|low|high' },
      attributes: { slider_layout: '1', slider_max: '10', slider_default: '4' },
    },
  ]);
  expect(block(form, 'day').prefill_today).toBe(true);
  expect(block(form, 'm').prefill).toEqual(['B']);
  expect(block(form, 'k_a')).toMatchObject({ type: 'slider', name: 'A', slider_max_value: 10, prefill: 4 });
  expect(block(form, 'k_a').help).toContain('0: low · 10: high');
  expect(notes(form)).toEqual([
    'S: What it began with is left out: {age + 1}',
    'Married: What is checked of its answer is left out: >= age - 80',
  ]);
  const stored = await published(form);
  expect(await refused(stored, { age: 0.4 })).toEqual(['age']);
  expect(await refused(stored, { age: 30, married: 31 })).toEqual(['married']);
  expect(await refused(stored, { age: 30, married: 29 })).toEqual([]);
  expect(await refused(stored, { married: 99 })).toEqual([]);
});

test('texts mention answers; other expressions, scripts and pictures are told', () => {
  const form = read([
    { type: 'S', code: 'a', text: 'A' },
    { type: 'K', code: 'k', text: 'K', rows: { x: 'X' } },
    {
      type: 'X',
      code: 'x',
      text: '<p>{INSERTANS:4711X1X1}, {a.shown}, {k_x} and {k_y}, {if(a=="b","c","d")} { this } &amp; that</p>',
    },
    {
      type: 'S',
      code: 'b',
      text: '<script>var a = {b};</script>B <img src="/b.png"> {TOKEN:FIRSTNAME}',
      help: 'T&uuml;r',
    },
  ]);
  const told = form.form.properties.find(({ name }) => name.startsWith('…'));
  const mention = (id: string) =>
    `<span mention="true" mention-field-id="${id}" mention-fallback="…">…</span>`;
  expect(told?.content).toBe(
    `<p>${mention('a')}, ${mention('a')}, ${mention('k_x')} and …, … { this } &amp; that</p>`,
  );
  expect(block(form, 'b')).toMatchObject({ name: 'B …', help: '<span>T&uuml;r</span>' });
  expect(notes(form)).toEqual([
    '…, …, … and …, … { this } & that: What was written into its text is left out: {k_y} {if(a=="b","c","d")}',
    'B …: Scripts and styles in its texts are left out.',
    'B …: What was written into its text is left out: {TOKEN:FIRSTNAME}',
    'B …: Its name cannot have pictures or films: they are left out.',
  ]);
});

test('settings of the survey', () => {
  const question: LimeQuestionInput = { type: 'S', code: 's' };
  const form = read([question], {
    settings: {
      format: 'S',
      autoredirect: 'Y',
      showwelcome: 'N',
      showsurveypolicynotice: '1',
      assessments: 'Y',
    },
    texts: {
      surveyls_welcometext: 'Welcome',
      surveyls_policy_notice: 'We keep it.',
      surveyls_policy_notice_label: 'I accept {STARTPOLICYLINK}this{ENDPOLICYLINK}.',
      surveyls_url: 'https://example.org/',
    },
  });
  expect(outline(form)).toEqual([
    'nf-text: We keep it.',
    'checkbox: I accept this. *',
    'nf-text: Group 1',
    'text: s',
  ]);
  expect(form.form).toMatchObject({ presentation_style: 'focused', redirect_url: 'https://example.org/' });
  expect(notes(form)).toEqual([': What answers count is left out.']);
});

test('a form with too many cells has a text for each row', () => {
  const some = (letter: string, count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`${letter}${at}`, `${letter} ${at}`]));
  const form = read([{ type: ';', code: 't', text: 'Table', rows: some('r', 60), columns: some('c', 10) }]);
  expect(form.form.properties).toHaveLength(62);
  expect(block(form, 't_r3')).toMatchObject({ name: 'r 3', multi_lines: true });
  expect(notes(form)).toEqual([
    `Table: With a question for each of its cells the form would be too long. Here each row is a text for ${Object.values(some('c', 10)).join(' · ')}`,
  ]);
});

describe('what is no survey', () => {
  test.each([
    ['another document', '<html><body>{}</body></html>', 'This is XML, but not from LimeSurvey.'],
    ['a group', documentOf({}, 'Group'), 'This is a group of LimeSurvey.'],
    ['a question', documentOf({}, 'Question'), 'This is a question of LimeSurvey.'],
    ['nothing', documentOf({}), 'There are no questions in it.'],
    ['a broken file', aSurvey([[{ type: 'S', code: 's' }]]).slice(0, 400), 'There are no questions in it.'],
  ])('%s', (_, xml, words) => {
    expect(() => readText(xml)).toThrow(words);
    expect(() => readText(xml)).toThrow(UnreadableForm);
  });

  test('whatever is missing or something else, it is a survey or it is told that it is none', async () => {
    const xml = await readFile(new URL('fixtures/limesurvey.lss', import.meta.url), 'utf8');
    const lines = xml.split('\n');
    const columns = new Set([...xml.matchAll(/<(\w+)><!\[CDATA/g)].map(([, name]) => name));
    const values = ['', 'constructor', '__proto__', '-1', '1e999', '{a}', '<b>'];
    const odd = [
      ...lines.flatMap((_, at) => (at % 5 === 0 ? [lines.toSpliced(at, 1).join('\n')] : [])),
      ...[...columns].flatMap((name) =>
        values.map((value) =>
          xml.replaceAll(
            new RegExp(`<${name}><!\\[CDATA\\[.*?\\]\\]></${name}>`, 'g'),
            () => `<${name}><![CDATA[${value}]]></${name}>`,
          ),
        ),
      ),
    ];
    for (const text of odd)
      try {
        expect(readText(text).form.properties.length).toBeGreaterThan(0);
      } catch (error) {
        expect(error).toBeInstanceOf(UnreadableForm);
      }
  });

  test('entities are not expanded, and files are read in any Unicode encoding', async () => {
    const bomb = '<!DOCTYPE d [<!ENTITY a "aaaa"><!ENTITY f SYSTEM "file:///etc/passwd">]>';
    const xml = aSurvey([[{ type: 'S', code: 's', text: 'Größe' }]])
      .replace('<document>', `${bomb}<document>`)
      .replace('<![CDATA[Größe]]>', 'Größe &a;&f; &#38;amp; <!-- <x> -->so');
    const bytes = new Uint8Array([
      0xff,
      0xfe,
      ...new Uint8Array(new Uint16Array([...xml].map((sign) => sign.charCodeAt(0))).buffer),
    ]);
    const form = await readSource(new File([bytes], 'a.lss'));
    expect(block(form, 's').name).toBe('Größe &a;&f; & so');
  });

  test.each([
    ['sections without an end', '<![CDATA['.repeat(100_000)],
    ['comments without an end', '<!--'.repeat(100_000)],
    ['tags without an end', '<a '.repeat(100_000)],
    ['elements in each other', '<a>'.repeat(100_000)],
    ['braces', `<questions><rows><row><title>${'{"'.repeat(100_000)}</title></row></rows></questions>`],
  ])('%s take no time', async (_, junk) => {
    const xml = aSurvey([[{ type: 'S', code: 's' }]]).replace('</document>', `${junk}</document>`);
    await expectCheap(3_000, () => readText(xml));
  });

  test.each(['{a"', '<script', '<script>', '<img', '{', '<!--', '&', '['])(
    'a text full of %s takes no time',
    async (sign) => {
      const text = sign.repeat(20_000);
      await expectCheap(3_000, () => read([{ type: 'S', code: 's', text, relevance: '(a'.repeat(2_000) }]));
    },
  );
});

test('options that rule out the others stay so where several can be chosen; elsewhere it is told', () => {
  const rows = { a: 'Bread', b: 'Milk', x: 'Nothing', y: 'No answer' };
  const attributes = { exclude_all_others: 'x; y;z' };
  const form = read([
    { type: 'M', code: 'buy', text: 'What do you buy?', rows, attributes, other: 'Y' },
    { type: 'P', code: 'why', text: 'Why?', rows, attributes: { exclude_all_others: 'x' } },
    { type: 'Q', code: 'say', text: 'Say more', rows, attributes: { exclude_all_others: 'x' } },
  ]);
  const alone = (id: string) =>
    (block(form, id).multi_select as any).options
      .filter(({ exclusive }: any) => exclusive === true)
      .map(({ name }: any) => name);
  expect(alone('buy')).toEqual(['Nothing', 'No answer']);
  expect(alone('why')).toEqual(['Nothing']);
  expect(notes(form)).toContain(
    'What do you buy?: Choosing “z” ruled out the other options. Here it does not.',
  );
  expect(notes(form)).toContain(
    'Say more: Choosing “Nothing” ruled out the other options. Here it does not.',
  );
  expect(notes(form).filter((text) => text.startsWith('Why?'))).toEqual([]);
});
