import { describe, expect, test } from 'vitest';
import type { JsonValue, Property } from '../../fields/property.ts';
import { compilePayload, type DeliveredForm, wholeBody } from '../../server/deliveries/payload.ts';
import { createSecretBox } from '../../server/secret-box.ts';

const BASE_URL = 'https://forms.example.org';
const LINKS = {
  baseUrl: BASE_URL,
  secrets: createSecretBox(Buffer.alloc(32, 7)),
  addressOf: ({ slug }: { slug: string }) => `${BASE_URL}/forms/${slug}`,
};
const PUBLIC_ID = '0f8fad5b-d9cb-469f-a165-70867728950e';

function aForm(changes: Partial<DeliveredForm> = {}): DeliveredForm {
  const properties: Property[] = [
    { id: 'name', type: 'text', name: 'Name' },
    { id: 'intro', type: 'nf-text', name: 'Intro' },
    { id: 'ref', type: 'text', name: 'Ref "quoted"\n', hidden: true },
    { id: 'agree', type: 'checkbox', name: 'Agree' },
  ];
  return {
    id: 7,
    workspaceId: 1,
    title: 'Contact \\ "us"',
    slug: 'contact-a1b2c3',
    customDomain: null,
    properties,
    editable: false,
    fileLinkSeconds: 60,
    language: 'en',
    variables: new Map(),
    endings: [],
    ...changes,
  };
}

function bodyOf(
  form: DeliveredForm,
  integrationId: string,
  answers: Record<string, JsonValue>,
  attribution: Record<string, string> | null = null,
) {
  const write = compilePayload(form, integrationId, LINKS);
  return JSON.parse(wholeBody(write({ publicId: PUBLIC_ID, answers, attribution }), 456));
}

describe('the body of a delivery', () => {
  test('carries all members of the generic webhook, in the usual order', () => {
    const body = bodyOf(
      aForm({ editable: true }),
      'webhook',
      { agree: false, name: 'Zoë 🙂', ref: 'x"y' },
      { utm_source: 'newsletter' },
    );
    expect(body).toEqual({
      form_id: 7,
      form_title: 'Contact \\ "us"',
      form_slug: 'contact-a1b2c3',
      submission: { Name: 'Zoë 🙂', 'Ref "quoted"\n': 'x"y', Agree: false },
      data: {
        name: { value: 'Zoë 🙂', name: 'Name', type: 'text' },
        ref: { value: 'x"y', name: 'Ref "quoted"\n', type: 'text' },
        agree: { value: false, name: 'Agree', type: 'checkbox' },
      },
      message: expect.stringContaining('deprecated'),
      submission_id: 456,
      edit_link: `${BASE_URL}/forms/contact-a1b2c3?submission_id=${PUBLIC_ID}`,
      meta: { attribution: { utm_source: 'newsletter' } },
    });
    expect(Object.keys(body).join()).toBe(
      'form_id,form_title,form_slug,submission,data,message,submission_id,edit_link,meta',
    );
    expect(Object.keys(body.data)).toEqual(['name', 'ref', 'agree']);
  });

  test('omits the deprecated members for providers, the link and meta where there is none', () => {
    expect(bodyOf(aForm(), 'make', { name: 'Ada' })).toEqual({
      form_id: 7,
      form_title: 'Contact \\ "us"',
      form_slug: 'contact-a1b2c3',
      data: { name: { value: 'Ada', name: 'Name', type: 'text' } },
      submission_id: 456,
    });
  });

  test('is whole when nothing was answered', () => {
    expect(bodyOf(aForm(), 'webhook', { agree: null })).toMatchObject({ submission: {}, data: {} });
  });

  test('keeps values of every JSON type as they are', () => {
    const values: JsonValue[] = [0, -1.5, '', [], ['a', 2], { Row: 'Column', __proto__x: null }, true];
    const properties = values.map((_, index) => ({ id: `p${index}`, type: 'text', name: `N${index}` }));
    const answers = Object.fromEntries(values.map((value, index) => [`p${index}`, value]));
    const { data } = bodyOf(aForm({ properties }), 'make', answers);
    expect(properties.map(({ id }) => data[id].value)).toEqual(values);
  });

  test('lets the last of several fields with one name count', () => {
    const properties = [
      { id: 'a', type: 'text', name: 'Same' },
      { id: 'b', type: 'text', name: 'Other' },
      { id: 'c', type: 'text', name: 'Same' },
    ];
    const form = aForm({ properties });
    expect(bodyOf(form, 'webhook', { a: '1', b: '2', c: '3' }).submission).toEqual({ Same: '3', Other: '2' });
    expect(bodyOf(form, 'webhook', { a: '1', b: '2' }).submission).toEqual({ Same: '1', Other: '2' });
  });

  test('treats names and ids of object members as ordinary keys', () => {
    const properties = [
      { id: '__proto__', type: 'text', name: '__proto__' },
      { id: 'constructor', type: 'text', name: 'toString' },
    ];
    const answers = JSON.parse('{"__proto__":"a"}');
    const { submission, data } = bodyOf(aForm({ properties }), 'webhook', answers);
    expect(Object.entries(submission)).toEqual([['__proto__', 'a']]);
    expect(Object.entries(data)).toEqual([['__proto__', { value: 'a', name: '__proto__', type: 'text' }]]);
  });
});
