import { expect, test } from 'vitest';
import { DESKTOP, PHONE, useBrowser } from '../setup/browser.ts';
import { aField } from '../setup/factories.ts';
import { useHome } from '../setup/home.ts';

/** The meaning of both ends of a scale. */
const home = useHome();
const browser = useBrowser();
const SCALE = aField('01', 'scale', 'How likely?', {
  scale_min_value: 0,
  scale_max_value: 10,
  scale_min_label: 'Not at all likely',
  scale_max_label: 'Extremely likely',
});

test('is said in the language of the page', async () => {
  const translations = { de: { properties: { [SCALE.id]: { scale_min_label: 'Gar nicht' } } } };
  const form = await home.form({ properties: [SCALE], translations });
  const { text } = await home.service.request('GET', `/forms/${form.slug}?lang=de`, {
    headers: { accept: 'text/html' },
  });
  expect(text).toContain('<bdi dir="ltr">0</bdi>: Gar nicht');
  expect(text).toContain('<bdi dir="ltr">10</bdi>: Extremely likely');
});

test('is a text of at most 100 characters', async () => {
  const answer = await home.call('POST', '/open/forms', {
    title: 'Wrong',
    workspace_id: home.workspaceId,
    properties: [{ ...SCALE, scale_min_label: 5, scale_max_label: 'x'.repeat(101) }],
  });
  expect(answer.status, answer.text).toBe(422);
  expect(answer.body.errors).toMatchObject({
    'properties.0.scale_min_label': ['The scale_min_label field must be a string.'],
    'properties.0.scale_max_label': ['The scale_max_label field must not be greater than 100 characters.'],
  });
});

test.each([
  ['wide', DESKTOP],
  ['on a phone', PHONE],
])('stands below the scale, no wider than it, %s', async (_, device) => {
  const form = await home.form({ properties: [SCALE] });
  const page = await browser.page(device);
  await page.goto(`${home.service.url}/forms/${form.slug}`);
  const boxOf = async (selector: string) => {
    const box = await page.locator(selector).boundingBox();
    expect(box, selector).not.toBeNull();
    return box ?? { x: 0, y: 0, width: 0, height: 0 };
  };
  const [scale, ends] = [await boxOf('.scale'), await boxOf('.ends')];
  expect(ends.y).toBeGreaterThanOrEqual(scale.y + scale.height);
  expect(Math.abs(ends.x - scale.x)).toBeLessThan(1);
  expect(ends.width).toBeLessThanOrEqual(scale.width + 1);
  const described = page.getByRole('radio', { name: '10', exact: true });
  expect(await described.getAttribute('aria-describedby')).not.toBeNull();
});
