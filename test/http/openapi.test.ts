import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ABILITIES, ROLES } from '../../server/access/abilities.ts';
import { apiPage } from '../../server/http/openapi/api-page.ts';
import type { ApiDocument, Operation } from '../../server/http/openapi/openapi-operations.ts';
import { aForm, aUser, aWorkspace } from '../setup/factories.ts';
import { startService, type TestService } from '../setup/service.ts';

let service: TestService;
let document: ApiDocument;
let operations: [string, Operation][];

beforeAll(async () => {
  service = await startService();
  document = (await service.request('GET', '/openapi.json')).body;
  operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): [string, Operation] => [
      `${method} ${path}`,
      operation,
    ]),
  );
});
afterAll(() => service.stop());

describe('openapi.json', () => {
  test('is OpenAPI 3.1 of this service', () => {
    expect(document.openapi).toMatch(/^3\.1\./);
    expect(document.servers).toEqual([{ url: service.url }]);
    expect(operations.length).toBeGreaterThan(50);
  });

  test('names and explains every operation', () => {
    const ids = operations.map(([, { operationId }]) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
    for (const [name, { summary, tags, parameters = [] }] of operations) {
      expect([name, Boolean(summary), tags?.length]).toEqual([name, true, 1]);
      const inPath = [...name.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => parameter).sort();
      expect(
        parameters
          .filter((one) => one.in === 'path')
          .map((one) => one.name)
          .sort(),
      ).toEqual(inPath);
    }
  });

  test('every reference leads somewhere', () => {
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(
      ([, path]) => path ?? '',
    );
    expect(references.length).toBeGreaterThan(0);
    for (const reference of new Set(references)) {
      const target = reference.split('/').reduce((value: any, key) => value?.[key], document);
      expect([reference, target]).toEqual([reference, expect.any(Object)]);
    }
  });

  test('says who may call', () => {
    const byName = Object.fromEntries(operations);
    expect(byName['post /open/forms/{form}/integrations']).toMatchObject({
      security: [{ token: [] }, { session: [] }],
      'x-required-ability': 'manage-integrations',
      'x-required-role': 'user',
    });
    expect(byName['post /forms/{form}/answer']?.security).toEqual([]);
    expect(byName['get /settings/tokens']?.security).toEqual([{ session: [] }]);
    for (const [name, operation] of operations) {
      expect([name, operation.security]).toEqual([name, expect.any(Array)]);
      expect([...ABILITIES, undefined]).toContain(operation['x-required-ability']);
      expect([...ROLES, undefined]).toContain(operation['x-required-role']);
    }
  });

  test('describes what the service sends', () => {
    expect(
      document.webhooks?.submission?.post?.requestBody?.content?.['application/json']?.schema,
    ).toMatchObject({
      properties: { form_id: {}, form_title: {}, form_slug: {}, submission_id: {}, data: {}, meta: {} },
    });
  });

  test('describes every member of a form, to its owner and to the public', async () => {
    const ada = await aUser(service);
    const form = await aForm(service, ada, await aWorkspace(service, ada), { password: 'letmein' });
    const open = { 'form-password': 'letmein' };
    for (const [path, { body, status }] of [
      ['/open/forms/{form}', await service.request('GET', `/open/forms/${form.id}`, { token: ada.token })],
      ['/forms/{form}', await service.request('GET', `/forms/${form.slug}`, { headers: open })],
      ['/forms/{form}', await service.request('GET', `/forms/${form.slug}`)],
    ] as const) {
      const schema: any = document.paths[path]?.get?.responses[200];
      const { properties } = schema.content['application/json'].schema;
      expect([status, Object.keys(body).filter((key) => !Object.hasOwn(properties, key))]).toEqual([200, []]);
      const described = Object.keys(properties.workspace.properties);
      if (body.workspace) expect(Object.keys(body.workspace)).toEqual(described);
    }
    const read: any = document.paths['/open/forms/{form}']?.get?.responses[200];
    const { properties, required } = read.content['application/json'].schema;
    const optional = Object.keys(properties).filter((key) => !required.includes(key));
    expect(optional).toEqual(['password']);
  });

  test('takes downloads for whatever they are', () => {
    const answer: any = document.paths['/open/forms/{form}/submissions/file/{name}']?.get?.responses[200];
    expect(Object.keys(answer.content)).toEqual(['*/*']);
  });

  test.each([
    ['get /forms/{form}', 404, ['message', 'error']],
    ['get /forms/{form}/captcha', 404, ['message', 'error']],
    ['post /forms/{form}/progress', 404, ['message', 'error']],
    ['post /open/workspaces/{workspaceId}/leave', 422, ['message', 'errors']],
    ['put /open/forms/{form}/draft', 409, ['message', 'revision', 'saved_by', 'saved_at', 'version']],
    ['post /open/forms/{form}/draft/publish', 409, ['message', 'base_version', 'version', 'changed']],
    ['put /open/forms/{form}/submissions/{submissionId}', 409, ['message', 'updated_at']],
    ['post /forms/{form}/files', 413, ['message', 'error', 'errors']],
    ['post /forms/{form}/files', 422, ['message', 'error', 'errors']],
    ['post /forms/{form}/files', 429, ['message', 'error']],
    ['post /forms/{form}/uploads', 413, ['message', 'error', 'errors']],
    ['post /forms/{form}/uploads', 422, ['message', 'error', 'errors']],
    ['patch /forms/{form}/uploads/{upload}', 422, ['message', 'error', 'errors']],
    ['patch /forms/{form}/uploads/{upload}', 503, ['message', 'error']],
    ['post /oauth/revoke', 400, ['message', 'error', 'error_description']],
    ['post /oauth/token', 400, ['message', 'error', 'error_description']],
    ['post /open/workspaces/{workspaceId}/users/add', 400, ['type', 'message']],
    ['post /register', 400, ['type', 'message']],
    ['post /invites/accept', 400, ['type', 'message']],
  ])('says what %s tells with %i', (name, status, members) => {
    const response: any = Object.fromEntries(operations)[name]?.responses[status];
    expect(Object.keys(response.content['application/json'].schema.properties)).toEqual(members);
  });

  test('names every word by which answers are refused', () => {
    const words = (status: number) => {
      const answer: any = document.paths['/forms/{form}/answer']?.post?.responses[status];
      return [...answer.description.matchAll(/`(\w+)`/g)].map(([, word]) => word);
    };
    expect(words(403)).toEqual([
      'form_closed',
      'form_full',
      'form_protected',
      'personal_link_needed',
      'already_answered',
    ]);
    expect(words(404)).toEqual(['form_not_found', 'submission_not_found']);
  });

  test('names the password that opens a protected form', () => {
    const { parameters } = document.paths['/forms/{form}']?.get ?? {};
    expect(parameters?.find(({ in: place }) => place === 'header')?.name).toBe('form-password');
  });

  test('says how the answers of a list are filtered', () => {
    const { parameters } = document.paths['/open/forms/{form}/submissions']?.get ?? {};
    expect(parameters?.find(({ name }) => name === 'filter')).toMatchObject({
      in: 'query',
      style: 'deepObject',
      explode: true,
      schema: { type: 'object', additionalProperties: true },
    });
  });

  test('asks for no parameter that has a default', () => {
    const parameters = operations.flatMap(([name, operation]) =>
      (operation.parameters ?? []).map((parameter: any) => ({
        ...parameter,
        name: `${name} ${parameter.name}`,
      })),
    );
    const filledIn = parameters.filter(({ schema }) => schema?.default !== undefined);
    expect(filledIn.map(({ name }) => name)).toContain('get /open/workspaces/{workspaceId}/forms per_page');
    expect(filledIn.filter(({ required }) => required)).toEqual([]);
  });

  test('says where no body is needed', () => {
    const needs = (name: string) => Object.fromEntries(operations)[name]?.requestBody?.required;
    expect(needs('post /open/forms')).toBe(true);
    expect(needs('post /open/forms/{form}/draft/publish')).toBe(false);
    expect(needs('post /open/forms/{form}/preview')).toBe(false);
  });

  test('has the errors that any call may meet', () => {
    const byName = Object.fromEntries(operations);
    const statuses = (name: string) => Object.keys(byName[name]?.responses ?? {});
    expect(statuses('put /open/forms/{form}/integrations/{integrationId}').join(' ')).toBe(
      '200 400 401 403 404 409 413 415 422 429 503',
    );
    expect(statuses('get /open/forms/{form}').join(' ')).toBe('200 400 401 403 404 429 503');
    expect(statuses('get /external/partner/validate')).toEqual(['200', '401', '403', '429', '503']);
    expect(statuses('put /open/forms/{form}/regenerate-link/{option}')).toContain('422');
    expect(statuses('post /open/workspaces/{workspaceId}/leave')).toContain('422');
    expect(statuses('post /forms/{form}/files').join(' ')).toBe('201 400 403 404 409 413 415 422 429 503');
    expect(statuses('get /metrics')).toEqual(['200', '404', '429']);
    // Another member may move the form at the same moment.
    expect(statuses('delete /open/forms/{form}/submissions/{submissionId}')).toContain('409');
    expect(statuses('post /logout')).not.toContain('409');
    expect(statuses('head /forms/{form}/uploads/{upload}').join(' ')).toBe('200 400 403 404 412 423 429 503');
    expect(statuses('delete /forms/{form}/uploads/{upload}')).toContain('412');
    // A body is read and checked even for routes that need none.
    for (const [name, { responses }] of operations)
      if (!/^(get|head) /.test(name))
        expect(Object.keys(responses), name).toEqual(expect.arrayContaining(['400', '413', '415', '422']));
    expect(JSON.stringify(document)).not.toContain('Default Response');
  });
});

describe('the page', () => {
  test('shows every operation and asks nobody else for anything', async () => {
    const { status, headers, text } = await service.request('GET', '/api');
    expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    for (const [, { operationId }] of operations) expect(text).toContain(`<article id="${operationId}">`);
    expect(text).toContain('<article id="submissionDelivery">');
    expect(text).not.toMatch(/<script|<img|<link|@import|url\(|\sstyle=|\son\w+=/);
    for (const [, href] of text.matchAll(/href="([^"]*)"/g)) expect(href).toMatch(/^[#/]/);
    const [, style = ''] = /<style>([\s\S]*)<\/style>/.exec(text) ?? [];
    const hash = createHash('sha256').update(style).digest('base64');
    expect(headers.get('content-security-policy')).toContain(`style-src 'sha256-${hash}'`);
    const targets = [...text.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id);
    for (const id of new Set(targets)) expect(text).toContain(`id="${id}"`);
  });

  test('escapes what it is given', () => {
    const evil = '<img src=x onerror=alert(1)>"\'&';
    const operation: Operation = {
      operationId: 'evil',
      tags: [evil],
      summary: evil,
      description: evil,
      security: [{ token: [] }],
      parameters: [{ name: evil, in: 'query', description: evil, schema: { enum: [evil] } }],
      requestBody: {
        content: {
          'application/json': { schema: { properties: { [evil]: { type: 'string', default: evil } } } },
        },
      },
      responses: { 200: { description: evil } },
      'x-required-ability': evil,
    };
    const page = apiPage(
      {
        openapi: '3.1.0',
        info: { title: evil, version: evil },
        paths: { [`/${evil}`]: { post: operation } },
      },
      evil,
    );
    expect(page).not.toContain('<img');
    expect(page).toContain('&lt;img src=x onerror=alert(1)&gt;');
  });
});
