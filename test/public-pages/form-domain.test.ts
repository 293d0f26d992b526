import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { useBrowser } from '../setup/browser.ts';
import { aTextField, TEXT_FIELD_ID } from '../setup/factories.ts';
import { useHome } from '../setup/home.ts';

/** Forms under their own domains; names that end in `localhost` lead here in every browser. */
const home = useHome({ env: { FORM_DOMAINS: 'answers.example.net, *.forms.localhost' } });
const browser = useBrowser();

/** Requests a path with this host name, as a visitor's browser would. */
async function open(host: string, path: string, headers: Record<string, string> = { accept: 'text/html' }) {
  const response = await new Promise<IncomingMessage>((resolve, reject) =>
    request(home.service.url + path, { headers: { host, ...headers } }, resolve)
      .on('error', reject)
      .end(),
  );
  return { status: response.statusCode, location: response.headers.location, body: await text(response) };
}

const addressAt = (name: string, slug: string) =>
  `http://${name}:${new URL(home.service.url).port}/forms/${slug}`;

describe('a form with a domain that leads here', () => {
  test('is linked to under it, wherever it is named', async () => {
    const domain = 'links.forms.localhost';
    const form = await home.form({ custom_domain: domain, editable_submissions: true });
    const address = addressAt(domain, form.slug);
    expect(form.share_url).toBe(address);
    expect((await home.call('GET', `/open/forms/${form.id}`)).body.share_url).toBe(address);
    expect((await home.call('GET', `/forms/${form.slug}`, undefined, null)).body.share_url).toBe(address);
    const list = await home.call('GET', `/open/workspaces/${home.workspaceId}/forms`);
    expect(list.body.data.find(({ id }: { id: number }) => id === form.id).share_url).toBe(address);
    const added = await home.call('POST', `/open/forms/${form.id}/recipients`, {
      recipients: [{ name: 'Grace' }],
    });
    expect(added.body.recipients[0].link).toMatch(new RegExp(`^${address}\\?personal=`));
    expect((await home.call('GET', `/open/forms/${form.id}/recipients`)).body.data[0].link).toBe(
      added.body.recipients[0].link,
    );
    const { body } = await open(domain, `/forms/${form.slug}`);
    expect(body).toContain(`<link rel="canonical" href="${address}">`);
    await home.call('PUT', `/open/forms/${form.id}`, { custom_domain: null });
    expect((await open(domain, `/forms/${form.slug}`)).body).toContain(
      `<link rel="canonical" href="${home.service.url}/forms/${form.slug}">`,
    );
  });

  test('names its edit link in deliveries by it', async () => {
    const domain = 'edits.forms.localhost';
    const form = await home.form({ custom_domain: domain, editable_submissions: true });
    await home.call('POST', `/open/forms/${form.id}/integrations`, {
      integration_id: 'webhook',
      status: 'active',
      data: { webhook_url: 'http://127.0.0.1:9/' },
    });
    await home.submit(form, { [TEXT_FIELD_ID]: 'Ada' });
    const { rows } = await home.service.context.pool.query(
      `select body::json ->> 'edit_link' as link from deliveries where form_id = $1`,
      [form.id],
    );
    expect(rows[0].link).toMatch(new RegExp(`^${addressAt(domain, form.slug)}\\?submission_id=`));
  });

  test('is what its domain opens, with what the address fills in', async () => {
    const form = await home.form({ custom_domain: 'door.forms.localhost' });
    const filled = await open('DOOR.forms.localhost:8080', `/?${TEXT_FIELD_ID}=Ada`);
    expect(filled).toMatchObject({ status: 302, location: `/forms/${form.slug}?${TEXT_FIELD_ID}=Ada` });
    // Of several forms of one domain, it opens the first that visitors can see.
    const other = await home.form({ custom_domain: 'door.forms.localhost' });
    expect((await open('door.forms.localhost', '/')).location).toBe(`/forms/${form.slug}`);
    await home.call('PUT', `/open/forms/${form.id}`, { visibility: 'draft' });
    expect((await open('door.forms.localhost', '/')).location).toBe(`/forms/${other.slug}`);
    expect((await open('door.forms.localhost', `/forms/${form.slug}`)).status).toBe(404);
  });

  test('is filled in there', async () => {
    const form = await home.form({ custom_domain: 'tea.forms.localhost', properties: [aTextField()] });
    const page = await browser.page();
    await page.goto(new URL('/', form.share_url).href);
    expect(page.url()).toBe(form.share_url);
    await page.getByRole('textbox', { name: 'Name' }).fill('Ada');
    await page.getByRole('button', { name: 'Submit' }).click();
    await page.locator('.thank-you').waitFor();
    expect(page.url()).toContain('http://tea.forms.localhost:');
    expect((await home.records(form))[0].data).toMatchObject({ [TEXT_FIELD_ID]: 'Ada' });
  });
});

describe('under a domain of forms', () => {
  test.each(['/', '/sign-in', '/workspaces/1/forms', '/account'])(
    'there is no dashboard: %s',
    async (path) => {
      const page = await open('nobody.forms.localhost', path);
      expect(page.status).toBe(404);
      expect(page.body).toContain('<!doctype html>');
      expect(page.body).not.toContain('/assets/dashboard/');
      const program = await open('nobody.forms.localhost', path, {});
      expect([program.status, JSON.parse(program.body).error]).toEqual([404, 'form_not_found']);
    },
  );

  test('forms of other names are found, too', async () => {
    const form = await home.form();
    expect((await open('answers.example.net', `/forms/${form.slug}`)).status).toBe(200);
  });
});

describe('a domain that does not lead here', () => {
  test.each(['elsewhere.example.net', 'deep.answers.example.net', 'example.net'])(
    '%s is kept, and has no effect',
    async (domain) => {
      const form = await home.form({ custom_domain: domain });
      expect([form.custom_domain, form.share_url]).toEqual([
        domain,
        `${home.service.url}/forms/${form.slug}`,
      ]);
      expect((await open(domain, '/')).body).toContain('/assets/dashboard/');
    },
  );
});
