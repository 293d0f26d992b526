import type { Element } from 'domhandler';
import { DomUtils, parseDocument } from 'htmlparser2';
import { describe, expect, test } from 'vitest';
import { renderBlock } from '../../../fields/html/block.ts';
import type { JsonValue, Property } from '../../../fields/property.ts';
import { property } from '../forms.ts';
import { context, draw, elements, formData } from './page.ts';

const IMAGE = { url: 'https://example.com/a.png', alt: 'A lake' };

/** Every type, in all its variants. */
const FIELDS: [Property, JsonValue?][] = [
  [property('text', { input_mask: '999', slot_char: '_' })],
  [property('text', { multi_lines: true, max_char_limit: 10, show_char_limit: true }), 'Hello'],
  [property('text', { secret_input: true })],
  [property('rich_text')],
  [property('number')],
  [property('email')],
  [property('url')],
  [property('phone_number')],
  [property('barcode', { decoders: ['qr_reader'] })],
  [property('location')],
  [property('repeat', { questions: [{ id: 'q', type: 'text', name: 'Q' }] })],
  [property('payment')],
  [property('date', { with_time: true })],
  [property('date', { date_range: true })],
  [property('select', { options: ['A', 'B'], allow_creation: true })],
  [property('select', { options: ['A', 'B'], without_dropdown: true }), 'A'],
  [property('select', { options: [{ name: 'A', image: IMAGE.url }], option_display_mode: 'image_only' })],
  [property('multi_select', { options: ['A', 'B'], min_selection: 1, allow_creation: true }), ['B', 'C']],
  [property('checkbox')],
  [property('checkbox', { use_toggle_switch: true }), true],
  [property('rating'), 3],
  [property('rating', { rating_max_value: 50 })],
  [property('scale'), 2],
  [property('scale', { scale_max_value: 1000 })],
  [property('slider')],
  [property('matrix', { rows: ['R1', 'R2'], columns: ['A', 'B'] }), { R1: 'A' }],
  [property('files', { multiple: true }), ['cv_11111111-2222-4333-8444-555555555555.pdf']],
  [property('signature'), 'sign_11111111-2222-4333-8444-555555555555.png'],
];

function byId(markup: string, id: string): Element {
  const element = DomUtils.getElementById(id, parseDocument(markup));
  if (element === null) throw new Error(`no #${id} in ${markup}`);
  return element;
}

function isInLabel(element: Element): boolean {
  const { parent } = element;
  return parent?.type === 'tag' && (parent.name === 'label' || isInLabel(parent));
}

describe('for those who do not see the page', () => {
  test.each(FIELDS)('$type: every input has a name, every id is there once', (field, answer) => {
    const markup = draw(
      { ...field, help: 'Help', image: IMAGE },
      { ...(answer !== undefined && { answer }), isRequired: true, problems: { x: ['Wrong.'] } },
    );
    const all = DomUtils.getElementsByTagName('*', parseDocument(markup));
    const ids = all.flatMap(({ attribs }) => attribs.id ?? []);
    expect(new Set(ids).size).toBe(ids.length);
    const referred = all.flatMap(({ attribs }) => [
      ...(attribs.for ? [attribs.for] : []),
      ...(attribs['aria-describedby']?.split(' ') ?? []),
    ]);
    expect(ids).toEqual(expect.arrayContaining(referred));

    const labelled = new Set(elements(markup, 'label').map(({ attribs }) => attribs.for));
    for (const input of all.filter(({ name }) => ['input', 'select', 'textarea'].includes(name))) {
      if (input.attribs.type === 'hidden') continue;
      const isNamed =
        Boolean(input.attribs['aria-label']) || labelled.has(input.attribs.id) || isInLabel(input);
      expect(isNamed, DomUtils.getOuterHTML(input)).toBe(true);
    }
  });

  test.each(FIELDS)('$type: that it is required is said once', (field) => {
    const markup = draw(field, { isRequired: true });
    const spoken = markup.includes('(Required)');
    const owner = byId(markup, 'f0');
    const onOwner = owner.attribs['aria-required'] === 'true';
    expect(spoken !== onOwner).toBe(true);
    expect(markup).not.toContain(' required');
  });

  test('what is wrong stands at its field and is tied to it', () => {
    const markup = draw(property('email', { help: 'At work' }), {
      answer: 'a@',
      problems: {
        x: ['No address.', 'Nor this.'],
        y: ['Another field.'],
        'x.1': ['Not x.'],
      },
    });
    expect(DomUtils.textContent(byId(markup, 'f0-error'))).toBe('No address. Nor this.');
    expect(byId(markup, 'f0').attribs).toMatchObject({
      'aria-invalid': 'true',
      'aria-describedby': 'f0-help f0-error',
      value: 'a@',
    });
  });

  test('the place of a problem is there, and hidden, before there is one', () => {
    const markup = draw(property('text'));
    expect(byId(markup, 'f0-error').attribs).toHaveProperty('hidden');
    expect(byId(markup, 'f0').attribs).not.toHaveProperty('aria-invalid');
  });

  test('the mark of a field that logic may require waits for it', () => {
    const logic = { conditions: null, actions: ['require-answer'] };
    expect(draw(property('text', { logic }))).toContain('data-required hidden');
    expect(draw(property('text', { logic }), { isRequired: true })).toContain('<span data-required>');
    expect(draw(property('text'))).not.toContain('data-required');
  });
});

describe('what stands around a field', () => {
  test('its name, with the help above or below', () => {
    const order = (field: Property) => {
      const markup = draw(field);
      return ['<label', 'class="help"', '<input'].map((part) => markup.indexOf(part));
    };
    const [name = 0, help = 0, input = 0] = order(property('text', { help: 'Help' }));
    expect(name < input && input < help).toBe(true);
    const above = order(property('text', { help: 'Help', help_position: 'above_input' }));
    expect(above).toEqual(above.toSorted((one, other) => one - other));
  });

  test('a hidden name is still read out', () => {
    expect(elements(draw(property('text', { hide_field_name: true })), 'label')[0]?.attribs.class).toBe(
      'label sr',
    );
  });

  test('width, alignment, type', () => {
    const [block] = elements(draw(property('multi-select', { width: '1/3', align: 'center' })), 'div');
    expect(block?.attribs).toMatchObject({
      class: 'block w-1-3 align-center',
      'data-block': 'x',
      'data-type': 'multi_select',
    });
    const [other] = elements(draw(property('text', { width: '"><script>', align: 1 })), 'div');
    expect(other?.attribs.class).toBe('block');
  });

  test('help is sanitised, names are text', () => {
    const markup = draw(
      property('text', { name: '<script>1</script>', help: '<img src=x onerror=alert(1)><b>B</b>' }),
    );
    expect(elements(markup, 'script')).toEqual([]);
    expect(elements(markup, 'img')).toEqual([]);
    expect(elements(markup, 'b')).toHaveLength(1);
    expect(DomUtils.textContent(elements(markup, 'label')[0]!)).toBe('<script>1</script>');
  });
});

describe('what is not shown', () => {
  test('a block that logic hides is there, with its answer', () => {
    const logic = { conditions: null, actions: ['show-block'] };
    const markup = draw(property('text', { hidden: true, logic }), { isHidden: true, answer: 'kept' });
    expect(elements(markup, 'div')[0]?.attribs).toHaveProperty('hidden');
    expect(formData(markup).entries).toEqual([['x', 'kept']]);
  });

  test('a field nothing ever shows is its answer alone', () => {
    expect(draw(property('text', { hidden: true }), { isHidden: true })).toBe('');
    const markup = draw(property('text', { hidden: true }), { isHidden: true, answer: '"><b>' });
    expect(markup).toBe('<input type="hidden" name="x" value="&quot;&gt;&lt;b&gt;">');
  });

  test('a disabled field cannot be changed, and its answer is sent', () => {
    const markup = draw(property('select', { options: ['A', 'B'] }), { isDisabled: true, answer: 'B' });
    expect(elements(markup, 'select')[0]?.attribs).toHaveProperty('disabled');
    expect(formData(markup).entries).toEqual([['x', 'B']]);
    const group = draw(property('rating'), { isDisabled: true, answer: 4 });
    expect(elements(group, 'fieldset')[0]?.attribs).toHaveProperty('disabled');
    expect(formData(group).entries).toEqual([['x', '4']]);
  });
});

describe('the picture of a block', () => {
  const drawn = (image: JsonValue, type = 'text') =>
    renderBlock(property(type, { image, content: '<p>T</p>' }), context());

  test.each(['left-small', 'right-small', 'left-split', 'right-split', 'background'])(
    '%s of it',
    (layout) => {
      const { markup } = drawn({ ...IMAGE, layout });
      const [block] = elements(markup.markup, 'div');
      expect(block?.attribs.class).toBe(`block picture-${layout}`);
      expect(byId(markup.markup, 'f0-picture').attribs).toMatchObject({
        src: IMAGE.url,
        alt: 'A lake',
        loading: 'lazy',
      });
    },
  );

  test('between name and input', () => {
    const { markup } = drawn({ ...IMAGE, layout: 'between' });
    const places = ['<label', '<img', '<input'].map((part) => markup.markup.indexOf(part));
    expect(places).toEqual(places.toSorted((one, other) => one - other));
    expect(drawn(IMAGE, 'nf-text').markup.markup).toContain('<img');
  });

  test('where one looks at it and how bright it is are rules', () => {
    expect(drawn({ ...IMAGE, focal_point: { x: 10, y: '20' }, brightness: -40 }).css).toBe(
      '#f0-picture{object-position:10% 20%;filter:brightness(0.6)}',
    );
    expect(drawn({ ...IMAGE, focal_point: { x: '1}*{', y: 900 }, brightness: '}' }).css).toBe(
      '#f0-picture{object-position:50% 100%}',
    );
    expect(drawn(IMAGE).css).toBe('');
  });

  test.each([
    'javascript:alert(1)',
    'data:image/svg+xml,x',
    '//evil.example',
    '/\\evil.example',
    '',
    5,
    null,
  ])('nothing from %j', (url) => {
    expect(drawn({ url, layout: 'background' }).markup.markup).not.toContain('<img');
  });
});
