import { DomUtils } from 'htmlparser2';
import { describe, expect, test } from 'vitest';
import type { JsonValue } from '../../../fields/property.ts';
import { property } from '../forms.ts';
import { draw, elements } from './page.ts';

/** The attributes of the first element with this tag. */
function first(markup: string, tag: string): Record<string, string> {
  return elements(markup, tag)[0]?.attribs ?? {};
}

describe('texts', () => {
  test('what the type tells the browser', () => {
    expect(first(draw(property('email')), 'input')).toMatchObject({ type: 'email', autocomplete: 'email' });
    expect(first(draw(property('url')), 'input')).toMatchObject({ type: 'url', autocomplete: 'url' });
    expect(first(draw(property('phone_number')), 'input')).toMatchObject({
      type: 'tel',
      autocomplete: 'tel',
    });
    expect(first(draw(property('number')), 'input')).toMatchObject({ type: 'text', inputmode: 'decimal' });
    expect(first(draw(property('text', { secret_input: true })), 'input').type).toBe('password');
    expect(first(draw(property('text', { name: 'Your e-mail' })), 'input')).not.toHaveProperty(
      'autocomplete',
    );
  });

  test('what browsers may fill in', () => {
    const filled = (type: string, options: Record<string, JsonValue>, tag = 'input') =>
      first(draw(property(type, options)), tag).autocomplete;
    expect(filled('text', { autocomplete: 'given-name' })).toBe('given-name');
    expect(filled('text', { autocomplete: 'street-address', multi_lines: true }, 'textarea')).toBe(
      'street-address',
    );
    expect(filled('date', { autocomplete: 'bday' })).toBe('bday');
    expect(filled('select', { autocomplete: 'country-name', options: ['France'] }, 'select')).toBe(
      'country-name',
    );
    for (const type of ['email', 'url', 'phone_number'])
      expect(filled(type, { autocomplete: 'off' })).toBe('off');
    expect(filled('text', { autocomplete: 'name', secret_input: true })).toBe('off');
    expect(filled('number', { autocomplete: 'postal-code' })).toBe('off');
    for (const unknown of ['cc-number', '" onfocus="', 7]) {
      expect(filled('text', { autocomplete: unknown })).toBeUndefined();
      expect(filled('email', { autocomplete: unknown })).toBe('email');
    }
  });

  test('a limit is counted in characters, and cuts nothing off', () => {
    const field = property('text', { max_char_limit: 5, show_char_limit: true });
    const markup = draw(field, { answer: '👍👍' });
    expect(first(markup, 'input')).toMatchObject({ 'data-max-chars': '5' });
    expect(markup).not.toContain('maxlength');
    expect(markup).toContain('3 characters left');
    expect(draw(field, { answer: 'sixsix' })).toContain('1 character too many');
    expect(draw(property('text', { max_char_limit: 5 }))).not.toContain('characters');
  });

  test('of a rich text what is seen is counted', () => {
    const field = property('rich_text', { max_char_limit: 20, show_char_limit: true });
    expect(draw(field, { answer: '<p>Hello</p><p>R&amp;D</p>' })).toContain('12 characters left');
  });

  test('numbers below zero can be typed on every telephone', () => {
    const modeOf = (options: object) => first(draw(property('number', options)), 'input').inputmode;
    expect(modeOf({ number_min_value: -10 })).toBeUndefined();
    expect(modeOf({ number_min_value: -10, whole_number: true })).toBeUndefined();
    expect(modeOf({ number_min_value: 0 })).toBe('decimal');
    expect(modeOf({ whole_number: true })).toBe('numeric');
  });

  test('a mask is told, and left to the script', () => {
    const markup = draw(property('text', { input_mask: '(999) 999', slot_char: '_' }));
    expect(first(markup, 'input')).toMatchObject({ 'data-mask': '(999) 999', 'data-slot': '_' });
    expect(markup).toContain('<bdi dir="ltr">(999) 999</bdi></p>');
    expect(first(draw(property('text', { input_mask: '9999' })), 'input').inputmode).toBe('numeric');
  });

  test('an answer with line breaks gets an area, wherever it stands', () => {
    const markup = draw(property('email'), { answer: 'a\nb' });
    expect(DomUtils.textContent(elements(markup, 'textarea')[0]!)).toBe('\na\nb');
  });

  test('where to write a number for the whole world', () => {
    expect(draw(property('phone_number'))).toContain('With country code');
    expect(draw(property('phone_number', { use_simple_text_input: true }))).not.toContain(
      'With country code',
    );
    const markup = draw(property('phone_number', { unavailable_countries: ['FR', 'DE'] }));
    expect(first(markup, 'input')['data-unavailable']).toBe('FR,DE');
  });
});

describe('choices', () => {
  const options = (count: number) => Array.from({ length: count }, (_, index) => `Option ${index + 1}`);

  test('a native list, with its first line empty', () => {
    const markup = draw(property('select', { options: ['A', ' B  b'] }), { answer: 'A' });
    const list = elements(markup, 'option').map(({ attribs }) => attribs);
    expect(list).toEqual([{ value: '' }, { value: 'A', selected: '' }, { value: ' B  b' }]);
  });

  test('many options can be searched', () => {
    expect(first(draw(property('select', { options: options(12) })), 'select')).not.toHaveProperty(
      'data-search',
    );
    expect(first(draw(property('select', { options: options(13) })), 'select')).toHaveProperty('data-search');
    expect(draw(property('multi_select', { options: options(13) }))).toContain(
      '<div class="options many" data-search>',
    );
  });

  test('pictures, whose names are still read out', () => {
    const field = property('select', {
      options: [
        { name: 'A', image: 'https://example.com/a.png' },
        { name: 'B', image: 'javascript:x' },
      ],
      option_display_mode: 'image_only',
      option_image_size: 'lg',
    });
    const markup = draw(field);
    expect(markup).toContain('class="options cards lg"');
    expect(elements(markup, 'img').map(({ attribs }) => attribs.src)).toEqual(['https://example.com/a.png']);
    expect(elements(markup, 'span').map((span) => [span.attribs.class, DomUtils.textContent(span)])).toEqual(
      expect.arrayContaining([
        ['sr', 'A'],
        [undefined, 'B'],
      ]),
    );
  });

  test('how many may be chosen', () => {
    const hint = (own: Record<string, JsonValue>) =>
      draw(property('multi_select', { options: ['A', 'B'], ...own }));
    expect(hint({ min_selection: 2 })).toContain('Choose at least 2.');
    expect(hint({ max_selection: 2 })).toContain('Choose up to 2.');
    expect(hint({ min_selection: 2, max_selection: 2 })).toContain('Choose exactly 2.');
    expect(hint({ min_selection: 1, max_selection: 2 })).toContain('Choose 1 to 2.');
    expect(hint({})).not.toContain('Choose');
  });

  test('what somebody added stays ticked', () => {
    const markup = draw(property('multi_select', { options: ['A'], allow_creation: true }), {
      answer: ['Mine'],
    });
    const ticked = elements(markup, 'input').filter(({ attribs }) => 'checked' in attribs);
    expect(ticked.map(({ attribs }) => attribs.value)).toEqual(['Mine']);
  });

  test('the input for an answer of one’s own says what it is for', () => {
    for (const type of ['select', 'multi_select']) {
      const markup = draw(property(type, { options: ['A'], allow_creation: true }));
      const [input] = elements(markup, 'input').filter(({ attribs }) => 'data-other' in attribs);
      expect(input?.attribs.placeholder).toBe('Another answer');
    }
  });

  test('radios can be taken back where an answer is optional', () => {
    const field = property('select', { options: ['A'], without_dropdown: true });
    expect(draw(field)).toContain('data-clear');
    expect(draw(field, { isRequired: true })).not.toContain('data-clear');
  });
});

describe('dates', () => {
  test('the first and last day, by the UTC day', () => {
    const now = new Date('2026-05-01T23:30:00-02:00');
    const past = draw(property('date', { disable_past_dates: true }), { now });
    expect(first(past, 'input')).toMatchObject({ type: 'date', min: '2026-05-02' });
    const future = draw(property('date', { disable_future_dates: true, with_time: true }), { now });
    expect(first(future, 'input')).toMatchObject({ type: 'datetime-local', max: '2026-05-02T23:59' });
  });

  test('a text no date input holds is shown as it is', () => {
    expect(first(draw(property('date'), { answer: 'tomorrow' }), 'input')).toMatchObject({
      type: 'text',
      value: 'tomorrow',
    });
  });
});

describe('scores', () => {
  test('stars, a row of numbers, and a number where there are too many', () => {
    const values = (markup: string) => elements(markup, 'input').map(({ attribs }) => attribs.value);
    expect(values(draw(property('rating', { rating_max_value: 3 }), { isRequired: true }))).toEqual([
      '1',
      '2',
      '3',
    ]);
    const scale = property('scale', { scale_min_value: 0, scale_max_value: 0.3, scale_step_value: 0.1 });
    expect(values(draw(scale, { isRequired: true }))).toEqual(['0', '0.1', '0.2', '0.3']);
    expect(first(draw(property('scale', { scale_max_value: 1e9 })), 'input').type).toBe('text');
    expect(first(draw(property('rating', { rating_max_value: 1e9 })), 'input').type).toBe('text');
  });

  test('a scale says below what its ends mean, and at the numbers themselves for who hears it', () => {
    const ends = { scale_min_value: 0, scale_max_value: 10, scale_min_label: '<Never>' };
    const markup = draw(property('scale', ends), { isRequired: true });
    const inputs = elements(markup, 'input').map(({ attribs }) => attribs['aria-describedby']);
    expect(inputs).toEqual(['f0-low', ...Array(10).fill(undefined)]);
    expect(elements(markup, 'span').filter(({ attribs }) => attribs.id).length).toBe(1);
    expect(markup).toContain('<span id="f0-low"><bdi dir="ltr">0</bdi>: &lt;Never&gt;</span>');
    const typed = draw(property('scale', { ...ends, scale_max_value: 1e9, scale_max_label: 'Always' }));
    expect(typed).toContain('0</bdi> (&lt;Never&gt;) – <bdi dir="ltr">1000000000</bdi> (Always)');
    expect(draw(property('scale', { scale_min_label: ' ' }))).not.toContain('ends');
  });

  test('an untouched slider has no value', () => {
    const input = first(draw(property('slider', { slider_max_value: 10 })), 'input');
    expect(input).toMatchObject({ 'data-slider': '', 'data-min': '0', 'data-max': '10', 'data-by': '1' });
    expect(input).not.toHaveProperty('value');
  });
});

test('a matrix has heads for rows and columns, and every radio says both', () => {
  const markup = draw(property('matrix', { rows: ['R1', 'R1', 'R2'], columns: ['A', 'B'] }), {
    answer: { R2: 'B' },
  });
  expect(elements(markup, 'th').map((head) => [head.attribs.scope, DomUtils.textContent(head)])).toEqual([
    ['col', 'A'],
    ['col', 'B'],
    ['row', 'R1'],
    ['row', 'R2'],
  ]);
  const radios = elements(markup, 'input').map(({ attribs }) => attribs);
  const labels = ['R1: A', 'R1: B', 'R1: Clear', 'R2: A', 'R2: B', 'R2: Clear'];
  expect(radios.map((radio) => radio['aria-label'])).toEqual(labels);
  expect(radios.filter((radio) => 'checked' in radio).map(({ name }) => name)).toEqual(['x[:R2]']);
});

describe('uploads', () => {
  test('types and sizes are told, the smaller limit counts', () => {
    const markup = draw(property('files', { allowed_file_types: '.PDF, png', max_file_size: 3 }), {
      maxFileSize: 2,
    });
    expect(first(markup, 'input')).toMatchObject({ accept: '.pdf,.png', 'data-max-size': '2097152' });
    expect(markup).toContain('Allowed: pdf, png · Up to 2 MB');
    expect(first(markup, 'input')).not.toHaveProperty('multiple');
  });

  test('what is there already can be removed, under the name it had', () => {
    const reference = 'My cv_11111111-2222-4333-8444-555555555555.pdf';
    const markup = draw(property('files'), { answer: [reference] });
    expect(markup).toContain('<span>My cv.pdf</span>');
    const box = elements(markup, 'input').find(({ attribs }) => attribs.type === 'checkbox');
    expect(box?.attribs).toMatchObject({ name: 'x[remove]', value: reference });
  });

  test('a drawing is kept beside the name one may type instead', () => {
    const markup = draw(property('signature'), { answer: 'data:image/png;base64,AAAA' });
    const inputs = elements(markup, 'input').map(({ attribs }) => [
      attribs.type,
      attribs.name,
      attribs.value,
    ]);
    expect(inputs).toContainEqual(['hidden', 'x', 'data:image/png;base64,AAAA']);
    expect(inputs).toContainEqual(['text', 'x', undefined]);
    expect(inputs).toContainEqual(['file', 'x', undefined]);
  });
});
