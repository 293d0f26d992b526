import { describe, expect, test } from 'vitest';
import { aWorkspace } from '../setup/factories.ts';
import { useHome } from '../setup/home.ts';

const home = useHome();

const NAME = { id: 'name', type: 'text', name: 'Name' };
let count = 0;
const aSlug = () => `name-${++count}`;
const aForm = (more: object = {}) => home.form({ slug: aSlug(), properties: [NAME], ...more });
const rename = (form: { id: number }, slug: string) => home.call('PUT', `/open/forms/${form.id}`, { slug });

/** The page for a browser that follows no redirect. */
async function page(path: string): Promise<{ status: number; location: string | null }> {
  const answer = await fetch(home.service.url + path, {
    headers: { accept: 'text/html' },
    redirect: 'manual',
  });
  return { status: answer.status, location: answer.headers.get('location') };
}

const read = async (slug: string) => (await home.service.request('GET', `/forms/${slug}`)).body;

describe('a form that has another name in its link', () => {
  test('is found by the former ones: page, answers, JSON', async () => {
    const form = await aForm();
    const [second, third] = [aSlug(), aSlug()];
    await rename(form, second);
    await rename(form, third);
    for (const slug of [form.slug, second]) {
      expect(await page(`/forms/${slug}?name=Ada&lang=de`)).toEqual({
        status: 302,
        location: `/forms/${third}?name=Ada&lang=de`,
      });
      expect((await home.submit({ ...form, slug }, { name: slug })).status).toBe(200);
      expect(await read(slug)).toMatchObject({ slug: third });
    }
    expect(await page(`/forms/${third}`)).toMatchObject({ status: 200 });
    expect(await page(`/forms/${form.uuid.toUpperCase()}`)).toMatchObject({ status: 200 });
    expect((await home.records(form)).map(({ data }) => data.name).sort()).toEqual(
      [form.slug, second].sort(),
    );
  });

  test('is not found by them any more when it is a draft, gets a new link, or is deleted', async () => {
    const form = await aForm();
    const gone = async () => {
      const answer = await home.submit(form, { name: 'Ada' });
      expect([answer.status, answer.body.error]).toEqual([404, 'form_not_found']);
      expect(await page(`/forms/${form.slug}`)).toMatchObject({ status: 404 });
    };
    await rename(form, aSlug());
    await home.call('PUT', `/open/forms/${form.id}`, { visibility: 'draft' });
    await gone();
    await home.call('PUT', `/open/forms/${form.id}`, { visibility: 'public' });
    expect((await home.submit(form, { name: 'Ada' })).status).toBe(200);
    await home.call('PUT', `/open/forms/${form.id}/regenerate-link/slug`);
    await gone();
    const other = await aForm();
    await rename(other, aSlug());
    await home.call('DELETE', `/open/forms/${other.id}`);
    expect(await page(`/forms/${other.slug}`)).toMatchObject({ status: 404 });
  });

  test('has none from the time when nobody could open it', async () => {
    const form = await aForm({ visibility: 'draft' });
    await rename(form, aSlug());
    await home.call('PUT', `/open/forms/${form.id}`, { visibility: 'public' });
    expect(await page(`/forms/${form.slug}`)).toMatchObject({ status: 404 });
  });

  test('can take a former one back', async () => {
    const form = await aForm();
    const second = aSlug();
    await rename(form, second);
    expect((await rename(form, form.slug)).status).toBe(200);
    expect(await page(`/forms/${form.slug}`)).toMatchObject({ status: 200 });
    expect(await page(`/forms/${second}`)).toMatchObject({ status: 302, location: `/forms/${form.slug}` });
  });

  test('keeps the last fifty', async () => {
    const form = await aForm();
    const names = Array.from({ length: 52 }, aSlug);
    for (const name of names) await rename(form, name);
    expect(await page(`/forms/${form.slug}`)).toMatchObject({ status: 404 });
    expect(await page(`/forms/${names[0]}`)).toMatchObject({ status: 404 });
    expect(await page(`/forms/${names[1]}`)).toMatchObject({ status: 302 });
  });
});

describe('a former name', () => {
  test('goes to another form of the workspace that wants it, at once', async () => {
    const form = await aForm();
    await rename(form, aSlug());
    expect((await home.submit(form, { name: 'first' })).status).toBe(200);
    const next = await aForm({ slug: form.slug });
    expect((await home.submit(next, { name: 'second' })).status).toBe(200);
    expect((await home.records(form)).map(({ data }) => data.name)).toEqual(['first']);
    expect((await home.records(next)).map(({ data }) => data.name)).toEqual(['second']);
    expect(await page(`/forms/${form.slug}`)).toMatchObject({ status: 200 });
    // When that form is deleted, the name leads to the first one again.
    await home.call('DELETE', `/open/forms/${next.id}`);
    expect(await page(`/forms/${form.slug}`)).toMatchObject({ status: 302 });
    expect((await home.submit(form, { name: 'third' })).status).toBe(200);
  });

  test('is no name for a form of somebody else: links may carry what is not for him', async () => {
    const form = await aForm();
    await rename(form, aSlug());
    const stranger = await home.stranger();
    const theirs = await aWorkspace(home.service, stranger);
    const wanted = { workspace_id: theirs, title: 'Mine', properties: [NAME], slug: form.slug };
    const create = () => home.service.request('POST', '/open/forms', { token: stranger.token, body: wanted });
    const refused = await create();
    expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ['slug']]);
    await home.call('DELETE', `/open/forms/${form.id}`);
    expect((await create()).status).toBe(201);
  });

  test('leads on with a personal link that was sent', async () => {
    const form = await aForm();
    const { body } = await home.call('POST', `/open/forms/${form.id}/recipients`, {
      recipients: [{ name: 'Ada', email: 'ada@example.com' }],
    });
    const code = new URL(body.recipients[0].link).searchParams.get('personal');
    // The owner may make the form a draft meanwhile.
    await home.call('PUT', `/open/forms/${form.id}`, { visibility: 'draft' });
    await rename(form, aSlug());
    await home.call('PUT', `/open/forms/${form.id}`, { visibility: 'public' });
    const { location } = await page(`/forms/${form.slug}?personal=${code}`);
    expect(location).toMatch(new RegExp(`\\?personal=${code}$`));
    const answer = await home.service.request('POST', `/forms/${form.slug}/answer?personal=${code}`, {
      body: { name: 'Ada' },
    });
    expect(answer.status).toBe(200);
  });
});
