import { describe, expect, test } from 'vitest';
import { expectRefused, useHome } from '../setup/home.ts';

const home = useHome();

describe('versioning', () => {
  test('the interface description carries version 1.0.0 and is OpenAPI 3.1', async () => {
    const answer = await home.call('GET', '/openapi.json', undefined, null);
    expect(answer.status).toBe(200);
    expect(answer.body.openapi).toMatch(/^3\.1\./);
    expect(answer.body.info.version).toBe('1.0.0');
  });

  test('it describes every endpoint of the specification, none under a version segment', async () => {
    const { paths } = (await home.call('GET', '/openapi.json', undefined, null)).body;
    const shape = (path: string) => path.replace(/\{[^}]+\}/g, '{}');
    const described = Object.entries<any>(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${shape(path)}`),
    );
    for (const endpoint of [
      'POST /forms/{}/answer',
      'POST /open/workspaces/create',
      'PUT /open/workspaces/{}',
      'DELETE /open/workspaces/{}',
      'PUT /open/workspaces/{}/users/{}/update-role',
      'GET /open/workspaces/{}/users',
      'GET /open/workspaces/{}/invites',
      'GET /open/workspaces/{}/forms',
      'GET /open/forms',
      'POST /open/forms',
      'GET /open/forms/{}',
      'PUT /open/forms/{}',
      'DELETE /open/forms/{}',
      'DELETE /open/forms/{}/submissions/{}',
      'POST /open/forms/{}/submissions/export',
      'GET /open/forms/{}/submissions/export/status/{}',
      'POST /open/forms/{}/integrations',
      'PUT /open/forms/{}/integrations/{}',
      'POST /external/partner/webhook',
      'DELETE /external/partner/webhook',
      'GET /external/partner/validate',
      'POST /external/zapier/webhook',
      'POST /settings/tokens',
    ])
      expect(described).toContain(endpoint);
    for (const path of Object.keys(paths)) expect(path).not.toMatch(/\/v\d/);
  });

  test('there is a page to browse it', async () => {
    const answer = await home.call('GET', '/api', undefined, null);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toContain('text/html');
    expect(answer.text.replaceAll('<wbr>', '').includes('/forms/{form}/answer')).toBe(true);
  });

  test('GET /forms/{form}/users is removed and answers 404', async () => {
    const form = await home.form();
    for (const ref of [form.id, form.slug, form.uuid]) {
      for (const token of [home.ada.token, null])
        expectRefused(await home.call('GET', `/forms/${ref}/users`, undefined, token), 404);
    }
  });

  test('the earlier path of the export status does not exist', async () => {
    const form = await home.form();
    const path = `/open/forms/${form.id}/submissions/export/export_x/status`;
    expectRefused(await home.call('GET', path), 404);
  });
});

describe('health', () => {
  test.each(['/livez', '/readyz', '/metrics'])('%s answers 200 without credentials', async (path) => {
    expect((await home.call('GET', path, undefined, null)).status).toBe(200);
  });

  test('/metrics speaks the Prometheus text format', async () => {
    const { text } = await home.call('GET', '/metrics', undefined, null);
    expect(text).toMatch(/^# HELP \S+ .+\n# TYPE \S+ (counter|gauge|histogram|summary)$/m);
  });
});
