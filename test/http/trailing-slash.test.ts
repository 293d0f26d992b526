import { beforeAll, expect, test } from 'vitest';
import { useHome } from '../setup/home.ts';
import { sendHostile } from './hostile-client.ts';

const home = useHome({ env: { ROLES: 'http' } });
let form: any;
beforeAll(async () => {
  form = await home.form();
});

const get = async (path: string, method = 'GET') => {
  const { status, headers } = await sendHostile(home.service, {
    method,
    path,
    headers: { accept: 'text/html', authorization: `Bearer ${home.ada.token}` },
  });
  return [status, headers.location];
};

test('a slash behind the address of a form, or of anything that is read, leads to what is meant', async () => {
  expect(await get(`/forms/${form.slug}/`)).toEqual([301, `/forms/${form.slug}`]);
  expect(await get(`/forms/${form.slug}/`, 'HEAD')).toEqual([301, `/forms/${form.slug}`]);
  expect(await get(`/forms/${form.slug}/?name=Ada/&x=//y/`)).toEqual([
    301,
    `/forms/${form.slug}?name=Ada/&x=//y/`,
  ]);
  expect(await get(`/open/forms/${form.id}/`)).toEqual([301, `/open/forms/${form.id}`]);
  expect((await get(`/forms/${form.slug}`))[0]).toBe(200);
  // One slash is removed at a time; the rest is an ordinary path.
  expect(await get('/nothing//')).toEqual([301, '/nothing/']);
  expect(await get('/nothing')).toEqual([404, undefined]);
});

test('so it does behind the address of a list, whose items have addresses of their own', async () => {
  const inside = `/open/forms/${form.id}`;
  for (const list of [
    '/open/forms',
    `${inside}/versions`,
    `${inside}/submissions`,
    `${inside}/integrations`,
    '/forms',
  ]) {
    expect(await get(`${list}/`)).toEqual([301, list]);
    expect(await get(`${list}/?page=2`, 'HEAD')).toEqual([301, `${list}?page=2`]);
  }
  const anonymous = await sendHostile(home.service, { method: 'GET', path: '/open/forms/' });
  expect([anonymous.status, anonymous.headers['x-content-type-options']]).toEqual([301, 'nosniff']);
  expect(await get('/open/forms/', 'DELETE')).toEqual([404, undefined]);
});

test('nobody is led to another host, and nothing that changes something is led anywhere', async () => {
  for (const path of ['//evil.example/', '//evil.example//', '///', '//', '/\\evil.example/'])
    expect(await get(path)).toEqual([404, undefined]);
  expect((await get('/'))[0]).toBe(200);
  for (const method of ['POST', 'PUT', 'DELETE'])
    expect(await get(`/open/forms/${form.id}/`, method)).toEqual([404, undefined]);
});
