import { expect, test } from 'vitest';
import { violationsOf } from '../setup/axe.ts';
import { useBrowser } from '../setup/browser.ts';
import { TEXT_FIELD_ID } from '../setup/factories.ts';
import { useHome } from '../setup/home.ts';

const home = useHome({ env: { ROLES: 'http' } });
const browser = useBrowser();
const properties = [{ id: TEXT_FIELD_ID, type: 'text', name: 'Name' }];
const address = (form: { slug: string }) => `${home.service.url}/forms/${form.slug}`;

test('when a form opens is told in the zone of the visitor, and in UTC without a script', async () => {
  const form = await home.form({ properties, opens_at: '2098-12-31T23:30:00Z', language: 'de' });
  const page = await browser.page({ timezoneId: 'Asia/Tokyo' });
  await page.goto(address(form));
  await expect.poll(() => page.locator('h2').textContent()).toBe('Öffnet am 1. Januar 2099 um 08:30');
  expect(await page.locator('input').count()).toBe(0);
  expect(await violationsOf(page)).toEqual([]);
  const plain = await browser.page({ javaScriptEnabled: false });
  await plain.goto(address(form));
  expect(await plain.locator('h2').textContent()).toBe('Öffnet am 31. Dezember 2098 um 23:30 UTC');
});

test('whoever waits sees it open', async () => {
  const form = await home.form({ properties, opens_at: new Date(Date.now() + 4_000).toISOString() });
  const page = await browser.page();
  await page.goto(address(form));
  await page.getByLabel('Name').fill('Ada');
  await page.locator('.primary').click();
  await page.getByText('Thank you!').waitFor();
});
