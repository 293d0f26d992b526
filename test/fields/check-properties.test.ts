import { expect, test } from 'vitest';
import { AUTOFILL_NAMES } from '../../fields/block-options/autofill.ts';
import { checkProperties } from '../../fields/check-properties.ts';
import { serverEngines as engines } from '../../fields/server-engines.ts';

const SUMMARY = 'One or more properties have validation errors.';
const block = (options: object) => ({ id: 'x', name: 'X', type: 'text', ...options });

test.each<object[]>([
  [{}],
  [{ id: undefined }],
  [{ id: '3700d380-197b-4a55-9f36-2ac6c8ab8b5f' }],
  [{ hidden: null, required: 1, width: 'full', align: 'left', help_position: null }],
  [{ type: 'select', select: { options: [{ id: 'a', name: 'A' }, { name: 'B' }] } }],
  [{ type: 'multi-select', options: ['A'], min_selection: 0, max_selection: 1 }],
  [{ type: 'select' }],
  [{ type: 'multi_select', options: ['a'], min_selection: 2, allow_creation: true }],
  [{ type: 'multi_select', min_selection: 2 }],
  [{ help: null, placeholder: '' }],
  [{ type: 'select', options: [], allow_creation: true }],
  [{ input_mask: '(999) aaa?', slot_char: '_' }],
  [{ type: 'hologram', anything: { at: ['all'] } }],
  [{ type: 'nf-image', image: { url: 'https://a.example/x.png', alt: '', focal_point: { x: 50, y: 50 } } }],
  [
    {
      validation: {
        error_conditions: { conditions: { operatorIdentifier: 'and', children: [] } },
        error_message: '',
      },
    },
  ],
  [{ logic: [] }],
  [{ autocomplete: 'given-name' }],
  [{ type: 'phone-number', autocomplete: 'off' }],
  [{ type: 'number', autocomplete: 'anything' }],
  [{ validation: { error_conditions: { conditions: {} } } }],
])('accepts %j', (options) => {
  expect({ ...checkProperties([block(options)], engines) }).toEqual({});
});

test.each<[object, string, string]>([
  [{ id: '' }, 'id', 'The form block number 1 is missing an id.'],
  [{ id: 'a b' }, 'id', 'The id must be 1 to 64 visible ASCII characters.'],
  [{ id: 'x'.repeat(65) }, 'id', 'The id must be 1 to 64 visible ASCII characters.'],
  [{ id: 5 }, 'id', 'The id must be 1 to 64 visible ASCII characters.'],
  [{ name: '' }, 'name', 'The form block number 1 is missing a name.'],
  [{ name: '   ' }, 'name', 'The form block number 1 is missing a name.'],
  [{ name: 5 }, 'name', 'The name must be a valid text.'],
  [{ help: 5 }, 'help', 'The help must be a valid text.'],
  [{ placeholder: ['x'] }, 'placeholder', 'The placeholder must be a valid text.'],
  [{ name: undefined }, 'name', 'The form block number 1 is missing a name.'],
  [{ type: null }, 'type', 'The form block number 1 is missing a type.'],
  [{ hidden: 'maybe' }, 'hidden', 'The hidden field must be a boolean.'],
  [{ required: [] }, 'required', 'The required field must be a boolean.'],
  [{ generates_uuid: 'x' }, 'generates_uuid', 'The generates_uuid field must be a boolean.'],
  [{ help_position: 'left' }, 'help_position', 'The help_position must be one of: below_input, above_input'],
  [
    { autocomplete: 'cc-number' },
    'autocomplete',
    `The autocomplete must be one of: ${AUTOFILL_NAMES.join(', ')}`,
  ],
  [{ width: '1/5' }, 'width', 'The width must be one of: full, 1/2, 1/3, 2/3, 3/4, 1/4'],
  [{ image: 'x.png' }, 'image', 'The image must be an object.'],
  [{ image: { url: 'javascript:x' } }, 'image.url', 'The image.url must be a valid URL.'],
  [{ image: { brightness: 101 } }, 'image.brightness', 'The image.brightness must be between -100 and 100.'],
  [{ multi_lines: 'x' }, 'multi_lines', 'The multi_lines field must be a boolean.'],
  [{ max_char_limit: 0 }, 'max_char_limit', 'The max_char_limit field must be at least 1.'],
  [{ max_char_limit: 1.5 }, 'max_char_limit', 'The max_char_limit field must be an integer.'],
  [{ input_mask: 'xyz' }, 'input_mask', 'The input_mask field format is invalid.'],
  [{ slot_char: 'a' }, 'slot_char', 'The slot_char field format is invalid.'],
  [
    { type: 'multi_select', min_selection: -1 },
    'min_selection',
    'The min_selection field must be at least 0.',
  ],
  [
    { type: 'multi_select', max_selection: 0 },
    'max_selection',
    'The max_selection field must be at least 1.',
  ],
  [
    { type: 'multi_select', options: ['a', 'b', 'c'], min_selection: 3, max_selection: 1 },
    'min_selection',
    'At least 3 options have to be chosen, but at most 1 may be.',
  ],
  [
    { type: 'multi_select', multi_select: { options: ['a', { name: 'b' }] }, min_selection: 3 },
    'min_selection',
    'At least 3 options have to be chosen, but there are only 2.',
  ],
  [{ type: 'select', select: { options: [] } }, 'select.options', 'At least one option is required.'],
  [{ type: 'select', options: 'A' }, 'options', 'The options field must be an array.'],
  [{ type: 'select', options: [{ id: 'a' }] }, 'options.0.name', 'The option name is required.'],
  [
    { type: 'select', options: ['A'], option_display_mode: 'image_only' },
    'options.0.image',
    'The option image is required.',
  ],
  [
    { type: 'slider', slider_step_value: 0 },
    'slider_step_value',
    'The slider_step_value field must be greater than 0.',
  ],
  [
    { type: 'number', number_min_value: 'a' },
    'number_min_value',
    'The number_min_value field must be a number.',
  ],
  [{ type: 'number', whole_number: 'a' }, 'whole_number', 'The whole_number field must be a boolean.'],
  [
    { type: 'number', number_min_value: 1, number_max_value: 0 },
    'number_max_value',
    'The number_max_value field must be at least 1.',
  ],
  [{ type: 'scale', scale_max_value: 0 }, 'scale_max_value', 'The scale_max_value field must be at least 1.'],
  [
    { type: 'scale', scale_min_value: 'low' },
    'scale_min_value',
    'The scale_min_value field must be a number.',
  ],
  [{ type: 'date', with_time: 'x' }, 'with_time', 'The with_time field must be a boolean.'],
  [{ type: 'matrix', rows: [1] }, 'rows', 'The rows field must be an array of texts.'],
  [
    { logic: { conditions: 'x', actions: ['hide-block'] } },
    'logic',
    'The logic conditions for X are not complete. Error detail(s): wrong sub-condition type',
  ],
  [
    { validation: { error_conditions: { conditions: { operatorIdentifier: 'and' } } } },
    'validation',
    'The validation conditions for X are not complete. Error detail(s): wrong sub-condition type',
  ],
])('refuses %j', (options, path, message) => {
  const errors = checkProperties([block(options)], engines);
  expect(errors[`properties.0.${path}`]).toEqual([message]);
  expect(errors.properties).toEqual([SUMMARY]);
});

test('ids are unique, and every block is reported', () => {
  const errors = checkProperties([block({}), block({}), 5, block({ id: 'y', name: '' })], engines);
  expect({ ...errors }).toEqual({
    'properties.1.id': ['The id has already been taken by another block.'],
    'properties.2': ['The form block number 3 must be an object.'],
    'properties.3.name': ['The form block number 4 is missing a name.'],
    properties: [SUMMARY],
  });
});

test.each([null, {}, 'x', 5])('%j is no list of blocks', (properties) => {
  expect(checkProperties(properties, engines).properties).toEqual(['The properties must be an array.']);
});

test('at most 500 blocks', () => {
  const blocks = (count: number) => Array.from({ length: count }, (_, index) => block({ id: `b${index}` }));
  expect({ ...checkProperties(blocks(500), engines) }).toEqual({});
  expect(checkProperties(blocks(501), engines).properties).toEqual([
    'The properties may not have more than 500 items.',
  ]);
});

test('patterns past the hundredth are refused rather than compiled', () => {
  const conditions = {
    operatorIdentifier: 'and',
    children: [
      {
        identifier: 'b0',
        value: { operator: 'matches_regex', property_meta: { id: 'b0', type: 'text' }, value: 'a+' },
      },
    ],
  };
  const blocks = Array.from({ length: 101 }, (_, index) =>
    block({ id: `b${index}`, logic: { conditions, actions: ['hide-block'] } }),
  );
  const errors = checkProperties(blocks, engines);
  expect(Object.keys(errors)).toEqual(['properties.100.logic', 'properties']);
});

test('a form has at most a thousand conditions', () => {
  const condition = (n: number) => ({
    identifier: 'x',
    value: { operator: 'equals', property_meta: { id: 'x', type: 'text' }, value: String(n) },
  });
  const form = (count: number) => {
    const half = Math.floor(count / 2);
    const group = (from: number, to: number) => ({
      operatorIdentifier: 'or',
      children: Array.from({ length: to - from }, (_, n) => condition(n)),
    });
    return [
      block({ validation: { error_conditions: { conditions: group(0, half) } } }),
      block({ id: 'y', logic: { conditions: group(half, count), actions: ['hide-block'] } }),
    ];
  };
  expect(checkProperties(form(1000), engines)).toEqual({});
  expect(checkProperties(form(1001), engines)).toEqual({
    properties: ['A form may not have more than 1000 conditions.'],
  });
});
