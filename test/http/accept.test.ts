import { expect, test } from 'vitest';
import { useHome } from '../setup/home.ts';

const home = useHome();

test.each([
  ['text/html', 'page'],
  ['text/*', 'page'],
  ['TEXT/*;q=0.5', 'page'],
  ['text/*, */*;q=0.1', 'page'],
  ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 'page'],
  ['text/html, application/json', 'page'],
  ['text/html;q=0.4, */*;q=0.3', 'page'],
  ['text/html;q=0.4, */*', 'json'],
  ['text/html;q=0, text/*', 'json'],
  ['text/*;q=0.5, application/json', 'json'],
  ['text/*;q=0.5, application/*;q=0.6', 'json'],
  ['application/json, text/plain, */*', 'json'],
  ['*/*', 'json'],
  ['application/json', 'json'],
])('whoever accepts %s gets the %s of a form', async (accept, wanted) => {
  const form = await home.form();
  const answer = await home.service.request('GET', `/forms/${form.slug}`, { headers: { accept } });
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toContain(wanted === 'page' ? 'text/html' : 'application/json');
});
