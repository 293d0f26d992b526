import { expect, test } from 'vitest';
import { TEXT_FIELD_ID } from '../setup/factories.ts';
import { useHome } from '../setup/home.ts';
import { until } from '../setup/until.ts';

const home = useHome({ env: { ROLES: 'http' } });
const YEARS_AHEAD = '2099-01-01T09:00:00.000Z';
const properties = [{ id: TEXT_FIELD_ID, type: 'text', name: 'Name' }];
const answer = (form: { slug: string }) => home.submit(form, { [TEXT_FIELD_ID]: 'Ada' });
const listed = async (status: string): Promise<number[]> => {
  const { body } = await home.call(
    'GET',
    `/open/workspaces/${home.workspaceId}/forms?status=${status}&per_page=100`,
  );
  return body.data.map(({ id }: any) => id);
};

test('until it opens a form is closed, and says when that is', async () => {
  const form = await home.form({ properties, opens_at: '2099-01-01T10:00:00+01:00' });
  expect(form).toMatchObject({ opens_at: YEARS_AHEAD, visibility: 'public', is_closed: true });
  expect(await answer(form)).toMatchObject({
    status: 403,
    body: { error: 'form_closed', message: `This form takes submissions from ${YEARS_AHEAD} on.` },
  });
  const read = () => home.service.request('GET', `/forms/${form.slug}`);
  const shown = await read();
  expect(shown.body).toMatchObject({ opens_at: YEARS_AHEAD, is_closed: true, properties: [] });
  expect(shown.text).not.toContain(properties[0]?.name);
  expect(await listed('closed')).toContain(form.id);
  expect(await listed('open')).not.toContain(form.id);
  // Closed by hand or for good, it does not name the day of its opening.
  for (const change of [{ visibility: 'closed' }, { visibility: 'public', closes_at: '2020-01-01' }]) {
    await home.call('PUT', `/open/forms/${form.id}`, change);
    expect((await answer(form)).body.message).toBe('This form is closed and takes no more submissions.');
  }
  await home.call('PUT', `/open/forms/${form.id}`, { closes_at: null, opens_at: null });
  expect((await answer(form)).status).toBe(200);
  expect((await read()).text).toContain(properties[0]?.name);
});

test('it opens by itself', async () => {
  const opens_at = new Date(Date.now() + 2_000).toISOString();
  const form = await home.form({ properties, opens_at });
  const first = await answer(form);
  if (Date.now() < Date.parse(opens_at)) expect(first.status).toBe(403);
  await until(async () => (await answer(form)).status === 200);
  expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(opens_at));
  expect(await listed('open')).toContain(form.id);
  expect((await home.call('GET', `/open/forms/${form.id}`)).body.is_closed).toBe(false);
});

test('a copy opens with it; an old version that comes back leaves it as it is', async () => {
  const form = await home.form({ properties, opens_at: YEARS_AHEAD });
  const copy = await home.call('POST', `/open/forms/${form.id}/duplicate`);
  expect(copy.body.new_form.opens_at).toBe(YEARS_AHEAD);
  await home.call('PUT', `/open/forms/${form.id}`, { title: 'Another', opens_at: null });
  const [, first] = (await home.call('GET', `/open/forms/${form.id}/versions`)).body;
  const back = await home.call('POST', `/open/forms/${form.id}/versions/${first.version}/restore`);
  expect(back.body.form).toMatchObject({ title: form.title, opens_at: null });
});
