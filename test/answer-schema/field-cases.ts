/** Fields of every type, with answers that the service takes and answers that it refuses. */
interface FieldCase {
  name: string;
  field: Record<string, unknown> & { type: string };
  taken: unknown[];
  refused: unknown[];
}

const LONG = 'x'.repeat(100_000);
const UUID = '0f8fad5b-d9cb-469f-a165-70867728950e';
const OPTIONS = ['Red', 'Blue */ end', '"quoted" \\ `x`', 'ред'];
const NONE = { name: 'None', exclusive: true };
const QUESTIONS = [
  { id: 'name', type: 'text', name: 'Name', required: true, max_char_limit: 5 },
  { id: 'age', type: 'number', name: 'Age', whole_number: true },
  { id: 'food', type: 'multi_select', name: 'Food', options: OPTIONS, min_selection: 2 },
  { id: 'size', type: 'select', name: 'Size', options: ['S', 'M'] },
  { id: 'agrees', type: 'checkbox', name: 'Agrees', required: true },
  { id: 'on', type: 'date', name: 'On', date_range: true },
  { id: 'mail', type: 'email', name: 'Mail' },
  { id: 'phone', type: 'phone_number', name: 'Phone' },
  { id: 'site', type: 'url', name: 'Site' },
];
const ENTRY = { name: 'Ann', agrees: true };

export const FIELD_CASES: readonly FieldCase[] = [
  {
    name: 'Text */ export const oops = 1; /*',
    field: { type: 'text' },
    taken: ['a', ' ', LONG, '🙂'.repeat(100_000), '\u2028"\\', '*/', '__proto__', ''],
    refused: [1, true, ['a'], {}, `${LONG}x`],
  },
  {
    name: 'Short\ntext',
    field: { type: 'text', max_char_limit: 3 },
    taken: ['abc', '🙂🙂🙂', '\n'],
    refused: ['abcd', 123],
  },
  {
    name: 'Masked',
    field: { type: 'text', input_mask: '(99) a*?' },
    taken: ['(12) a', '(12) a1'],
    refused: [{ mask: 1 }, 12],
  },
  {
    name: 'Secret',
    field: { type: 'text', secret_input: true, multi_lines: true },
    taken: ['a\nb'],
    refused: [0],
  },
  {
    name: 'Rich',
    field: { type: 'rich_text', max_char_limit: 4 },
    taken: ['<p>1234</p>', '<script>x</script>ab', 'a<b', '<p><br></p>', '<b style="color:red">x'],
    refused: [1, ['<p>'], { html: 'x' }],
  },
  {
    name: 'Number',
    field: { type: 'number' },
    taken: [0, -1.5, '0.10', 1e-7, '1e3', 9007199254740991, '-0', -0],
    refused: ['one', true, [1], {}, '0x10'],
  },
  {
    name: 'Limited number',
    field: { type: 'number', number_min_value: -2, number_max_value: '9.5', whole_number: true },
    taken: [-2, 9, '3', 4.0],
    refused: [-3, 10, 1.5],
  },
  {
    name: 'Stars',
    field: { type: 'rating', rating_max_value: 3 },
    taken: [0, 3, '2'],
    refused: [4, -1, 1.5, 'x'],
  },
  {
    name: 'Scale',
    field: { type: 'scale', scale_min_value: -0.2, scale_max_value: 0.3, scale_step_value: 0.1 },
    taken: [-0.2, 0.3, -0.1, 0, 0.3 - 0.1, '0.1', 0.1000000001],
    refused: [0.4, 'x', true],
  },
  {
    name: 'Slider',
    field: { type: 'slider', slider_max_value: 10 },
    taken: [0, 10, 5.0000001],
    refused: [-1, 11],
  },
  {
    name: 'Select',
    field: { type: 'select', select: { options: OPTIONS.map((name, id) => ({ id: `o${id}`, name })) } },
    taken: OPTIONS,
    refused: ['Green', 'o1', 1, ['Red'], 'red', true],
  },
  {
    name: 'Open select',
    field: { type: 'select', options: OPTIONS, allow_creation: true },
    taken: ['Red', 'Anything', LONG],
    refused: [1, ['Red'], `${LONG}x`],
  },
  { name: 'Free select', field: { type: 'select' }, taken: ['Anything'], refused: [7, {}] },
  {
    name: 'Several',
    field: { type: 'multi-select', options: OPTIONS, min_selection: 2, max_selection: 3 },
    taken: [OPTIONS.slice(0, 2), OPTIONS.slice(1)],
    refused: [OPTIONS, ['Red', 'Red'], ['Red', 'Green'], 'Red', [1, 2], ['Red']],
  },
  {
    name: 'Several, open',
    field: { type: 'multi_select', options: OPTIONS, allow_creation: true },
    taken: [['Red', 'Pink'], ['Red']],
    refused: [['Pink', 'Pink'], [''], [1], { 0: 'Red' }],
  },
  {
    name: 'Several or none',
    field: { type: 'multi_select', options: [...OPTIONS, NONE], min_selection: 2, max_selection: 3 },
    taken: [OPTIONS.slice(0, 2), ['None']],
    refused: [['None', 'Red'], ['Red'], ['None', 'None'], OPTIONS],
  },
  {
    name: 'None alone',
    field: { type: 'multi_select', options: [NONE] },
    taken: [['None']],
    refused: [['Red'], ['None', 'None']],
  },
  {
    name: 'Several or none, open',
    field: { type: 'multi_select', options: [...OPTIONS, NONE], allow_creation: true, min_selection: 2 },
    taken: [['Red', 'Pink'], ['None']],
    refused: [['Pink', 'Pink'], 'None'],
  },
  {
    name: 'Box',
    field: { type: 'checkbox' },
    taken: [true, false, 1, '0', 'true', 0],
    refused: ['yes', 2, [true], {}],
  },
  {
    name: 'Date',
    field: { type: 'date' },
    taken: [
      '2026-05-01',
      '2026-05-01T10:00',
      '2026-05-01 10:00:59.123456789+14:00',
      '0001-01-01',
      '2026-05-01T10:00Z',
    ],
    refused: ['1.5.2026', 20260501, ['2026-05-01'], 'tomorrow', '2026-05-01T10', '2026-5-1'],
  },
  {
    name: 'Range',
    field: { type: 'date', date_range: true, with_time: true },
    taken: [
      ['2026-05-01', '2026-05-01'],
      ['2026-05-01', '2026-05-02 10:00'],
    ],
    refused: ['2026-05-01', ['2026-05-01'], ['2026-05-01', '2026-05-02', '2026-05-03'], ['a', 'b']],
  },
  {
    name: 'Mail',
    field: { type: 'email' },
    taken: ['a@b.co', 'josé+x@exämple.рф', `a@${'b.'.repeat(100)}co`],
    refused: ['a', 'a@b', 'a b@c.de', 1, ['a@b.co']],
  },
  {
    name: 'Site',
    field: { type: 'url', max_char_limit: 40 },
    taken: ['b.co', 'HTTP://b.co:80/x?y#z', 'https://müller.example/a%20b', 'a_b.co'],
    refused: ['nowhere', 'http://b.co/a b', 7, `b.co/${'x'.repeat(40)}`],
  },
  {
    name: 'Phone',
    field: { type: 'phone_number' },
    taken: ['FR+33749119783', '+33 7 49 11 97 83', '+1 (201) 555-0123', 'FR+33'],
    refused: [33749119783, ['+33749119783'], '0749119783', 'phone'],
  },
  {
    name: 'Phone as text',
    field: { type: 'phone_number', use_simple_text_input: true, max_char_limit: 20 },
    taken: ['call me', '0749'],
    refused: [749, 'x'.repeat(21)],
  },
  {
    name: 'Matrix',
    field: { type: 'matrix', rows: ['Row 1', 'constructor', '*/'], columns: ['Good', '"Bad"'] },
    taken: [
      { 'Row 1': 'Good' },
      { constructor: '"Bad"', '*/': 'Good', lost: 'x' },
      { 'Row 1': null, '*/': 'Good' },
      {},
    ],
    refused: [{ 'Row 1': 'Fine' }, { 'Row 1': ['Good'] }, 'Good', ['Good'], 1],
  },
  {
    name: 'Ranking',
    field: { type: 'ranking', ranking: { options: OPTIONS } },
    taken: [
      OPTIONS,
      OPTIONS.toReversed(),
      Object.fromEntries(OPTIONS.map((name, at) => [name, `${at + 1}`])),
    ],
    refused: [['Red', 'Red', 'Red', 'Red'], 'Red', ['Green'], [...OPTIONS, 'Green'], 1],
  },
  {
    name: 'Typed signature',
    field: { type: 'signature' },
    taken: ['Ada Lovelace', ' '],
    refused: [['Ada'], 1, 'x'.repeat(256)],
  },
  {
    name: 'Code',
    field: { type: 'barcode', max_char_limit: 13 },
    taken: ['4006381333931', 'https://x.y'],
    refused: [4006381333931, 'x'.repeat(14)],
  },
  {
    name: 'Place',
    field: { type: 'location' },
    taken: ['48.858222, 2.2945 ±12 m', '52.5° N, 13.4° W', 'geo:-1.5,+2.5;u=0', '90, -180'],
    refused: ['here', 48.85, ['48.85', '2.29'], { lat: 1, lng: 2 }],
  },
  {
    name: 'People',
    field: { type: 'repeat', max_entries: 3, questions: QUESTIONS },
    taken: [
      [ENTRY],
      [{ ...ENTRY, age: '3', lost: 1, agrees: '1' }, {}, ENTRY],
      [{ ...ENTRY, food: OPTIONS.slice(0, 2), size: 'S', on: ['2026-05-01', '2026-05-02'] }],
      [{ ...ENTRY, mail: 'a@b.co', phone: '+33749119783', site: 'b.co' }],
      [{ ...ENTRY, phone: '+33' }],
      [{}],
    ],
    refused: [
      'Ann',
      ENTRY,
      ['Ann'],
      [{ name: 'Ann' }],
      [{ ...ENTRY, name: 'Too long' }],
      [{ ...ENTRY, age: 1.5 }],
      [{ ...ENTRY, food: ['Red'] }],
      [{ ...ENTRY, agrees: false }],
      [ENTRY, ENTRY, ENTRY, ENTRY],
    ],
  },
  {
    name: 'Hologram',
    field: { type: 'hologram' },
    taken: ['x', 1, true, { a: [null] }, [null], [[]]],
    refused: [],
  },
  { name: 'Payment', field: { type: 'payment' }, taken: [{ paid: true }, UUID], refused: [] },
  { name: 'Computed', field: { type: 'computed' }, taken: [1, 'x'], refused: [] },
];
