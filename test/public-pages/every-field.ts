import type { BrowserContext } from 'playwright-core';

/** Stands for a picture on the web; `servePictures` answers it. */
export const PICTURE = 'https://pictures.example/hill.svg';
const HILL = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 160 90"><rect width="160" height="90" fill="#bcd7ef"/>
<circle cx="122" cy="24" r="11" fill="#fbe7a1"/><path d="M0 70 45 30 82 66 110 44 160 78V90H0z" fill="#5b7f5d"/></svg>`;

/** Answers every request to another host with a picture, so that no test depends on the network. */
export async function servePictures(context: BrowserContext): Promise<void> {
  await context.route(
    (url) => url.host !== '' && url.hostname !== '127.0.0.1',
    (route) => route.fulfill({ contentType: 'image/svg+xml', body: HILL }),
  );
}

const names = (count: number, word = 'Choice') =>
  Array.from({ length: count }, (_, index) => `${word} ${index + 1}`);
const pictured = (...options: string[]) => options.map((name) => ({ name, image: PICTURE }));
const HELP = 'Some help with a <a href="https://example.com">link</a>.';

/** Blocks without a question. */
const LAYOUT_BLOCKS = [
  {
    id: 'words',
    type: 'nf-text',
    name: 'Words',
    content:
      '<h2>About you</h2><p>Some <b>words</b>, a <a href="https://example.com">link</a>.</p><ul><li>One</li></ul>',
  },
  { id: 'line', type: 'nf-divider', name: 'Line' },
  {
    id: 'image',
    type: 'nf-image',
    name: 'Hills',
    image_block: { url: PICTURE, alt: 'Hills', link: 'https://example.com' },
  },
  { id: 'video', type: 'nf-video', name: 'A film', video_block: 'https://www.youtube.com/watch?v=x' },
  { id: 'audio', type: 'nf-audio', name: 'A song', audio_block: 'https://pictures.example/song.mp3' },
];

/** Every type of field in every way it can be shown, none of them required. */
export const FIELDS = [
  { id: 'text', type: 'text', name: 'Your name', placeholder: 'Ada Lovelace', width: '1/2', help: HELP },
  { id: 'email', type: 'email', name: 'E-mail', width: '1/2', help: HELP, help_position: 'above_input' },
  {
    id: 'lines',
    type: 'text',
    name: 'A long text',
    multi_lines: true,
    max_char_limit: 200,
    show_char_limit: true,
  },
  { id: 'secret', type: 'text', name: 'A secret', secret_input: true, width: '1/3' },
  { id: 'mask', type: 'text', name: 'A mask', input_mask: '99-aa', width: '1/3' },
  { id: 'disabled', type: 'text', name: 'Disabled', disabled: true, prefill: 'Given', width: '1/3' },
  {
    id: 'unnamed',
    type: 'text',
    name: 'A name nobody sees',
    hide_field_name: true,
    placeholder: 'Type here',
  },
  { id: 'rich', type: 'rich_text', name: 'A story' },
  { id: 'number', type: 'number', name: 'A number' },
  { id: 'url', type: 'url', name: 'A website' },
  { id: 'phone', type: 'phone_number', name: 'A phone number' },
  { id: 'date', type: 'date', name: 'A day', align: 'center' },
  { id: 'moment', type: 'date', name: 'A day and a time', with_time: true },
  { id: 'range', type: 'date', name: 'From a day to a day', date_range: true },
  { id: 'list', type: 'select', name: 'One of a few', options: names(4), allow_creation: true },
  { id: 'long', type: 'select', name: 'One of many', options: names(30) },
  {
    id: 'radios',
    type: 'select',
    name: 'One radio',
    options: names(3),
    without_dropdown: true,
    allow_creation: true,
  },
  {
    id: 'cards',
    type: 'select',
    name: 'A picture with words',
    options: pictured('Hill', 'Sea', 'Town'),
    option_display_mode: 'text_and_image',
    option_image_size: 'sm',
  },
  {
    id: 'pictures',
    type: 'multi_select',
    name: 'Pictures alone',
    options: pictured('Hill', 'Sea', 'Town'),
    option_display_mode: 'image_only',
    option_image_size: 'lg',
  },
  {
    id: 'boxes',
    type: 'multi_select',
    name: 'Any of them',
    options: names(4),
    min_selection: 1,
    max_selection: 2,
  },
  { id: 'many', type: 'multi_select', name: 'Any of many', options: names(30), allow_creation: true },
  { id: 'box', type: 'checkbox', name: 'A box to tick', help: HELP },
  { id: 'switch', type: 'checkbox', name: 'A switch', use_toggle_switch: true },
  { id: 'rating', type: 'rating', name: 'Stars', rating_max_value: 5 },
  { id: 'scale', type: 'scale', name: 'A scale', scale_min_value: 0, scale_max_value: 10 },
  {
    id: 'slider',
    type: 'slider',
    name: 'A slider',
    slider_min_value: 0,
    slider_max_value: 100,
    slider_step_value: 5,
  },
  {
    id: 'matrix',
    type: 'matrix',
    name: 'A matrix',
    rows: ['Food', 'Rooms'],
    columns: ['Bad', 'Fair', 'Good'],
  },
  { id: 'ranking', type: 'ranking', name: 'An order', options: names(3) },
  { id: 'files', type: 'files', name: 'Files', multiple: true, allowed_file_types: 'jpg,png,pdf' },
  { id: 'signature', type: 'signature', name: 'A signature' },
  { id: 'barcode', type: 'barcode', name: 'A barcode', decoders: ['qr_reader', 'ean_reader'] },
  { id: 'location', type: 'location', name: 'A location' },
  {
    id: 'repeat',
    type: 'repeat',
    name: 'Who comes along?',
    entry_name: 'Person',
    questions: [
      { id: 'name', type: 'text', name: 'Name of the person', width: '1/2' },
      { id: 'age', type: 'number', name: 'Age', width: '1/2', help: 'In years' },
      {
        id: 'meal',
        type: 'select',
        name: 'Meal',
        select: { options: [{ name: 'Fish' }, { name: 'Beans' }] },
      },
    ],
  },
];

/** Fields with a picture in each possible place. */
const PICTURED = ['between', 'left-small', 'right-small', 'left-split', 'right-split', 'background'].map(
  (layout) => ({
    id: `at-${layout}`,
    type: 'text',
    name: `Beside a picture: ${layout}`,
    image: { url: PICTURE, alt: 'Hills', layout, focal_point: { x: 20, y: 80 }, brightness: -20 },
  }),
);

/** A form with all of this; its second page has only one field. */
export const EVERYTHING = [
  ...LAYOUT_BLOCKS,
  ...FIELDS,
  ...PICTURED,
  { id: 'break', type: 'nf-page-break', name: 'Next' },
  { id: 'last', type: 'text', name: 'The last question' },
];

/** The same fields, all required. */
export function allRequired<Field extends object>(fields: readonly Field[]) {
  return fields.map((field) => ({ ...field, required: true }));
}
