import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { useBrowser } from '../setup/browser.ts';
import { aField } from '../setup/factories.ts';
import { useHome } from '../setup/home.ts';
import { expectFine, signedInPage } from './screens.ts';

const browser = useBrowser();
const home = useHome();

/** The place that a camera writes into a photo. */
const PLACE = 'GPS 48.8582 N';

async function open(form: { id: number }, screen: string): Promise<Page> {
  const page = await signedInPage(browser, home.service.url, home.ada);
  await page.goto(`${home.service.url}/workspaces/${home.workspaceId}/forms/${form.id}/${screen}`);
  return page;
}

const stored = async (form: { id: number }) => (await home.call('GET', `/open/forms/${form.id}`)).body;
const upload = (page: Page, name: string, mimeType: string, buffer: Buffer) =>
  page.getByLabel('Upload a picture').setInputFiles({ name, mimeType, buffer });
const drawing = (text: string) =>
  Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg"><text>${text}</text></svg>`);

/** A photo as cameras make them: large, and with a block about the place (JPEG, APP1). */
async function aPhoto(page: Page, width: number, height: number): Promise<Buffer> {
  const bytes = await page.evaluate(
    async ({ width, height }) => {
      const canvas = new OffscreenCanvas(width, height);
      const picture = canvas.getContext('2d') as OffscreenCanvasRenderingContext2D;
      for (let x = 0; x < width; x += 10) {
        picture.fillStyle = `hsl(${x} 80% 50%)`;
        picture.fillRect(x, 0, 10, height);
      }
      const photo = await canvas.convertToBlob({ type: 'image/jpeg' });
      return [...new Uint8Array(await photo.arrayBuffer())];
    },
    { width, height },
  );
  const told = Buffer.from(`Exif\0\0${PLACE}`);
  const block = Buffer.concat([Buffer.from([0xff, 0xe1, 0, told.length + 2]), told]);
  return Buffer.concat([Buffer.from(bytes.slice(0, 2)), block, Buffer.from(bytes.slice(2))]);
}

test('a photo becomes the cover: smaller, and without the place it was taken at', async () => {
  const form = await home.form();
  const page = await open(form, 'settings?part=appearance');
  await page.getByRole('button', { name: 'Choose: Cover' }).click();
  const photo = await aPhoto(page, 3_000, 1_500);
  expect(photo.includes(PLACE)).toBe(true);
  await expectFine(page, 'no pictures yet');
  await upload(page, 'beach.jpg', 'image/jpeg', photo);
  const change = page.getByRole('button', { name: 'Change: Cover' });
  await change.waitFor();
  await expect.poll(() => change.evaluate((button) => button === document.activeElement)).toBe(true);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('region', { name: 'Changes' }).waitFor({ state: 'detached' });

  const { cover_picture: cover } = await stored(form);
  expect(cover).toMatch(/^\/pictures\/[0-9a-f]{64}\.webp$/);
  const answer = await fetch(home.service.url + cover);
  expect(Buffer.from(await answer.arrayBuffer()).includes(PLACE)).toBe(false);
  const visitor = await browser.page();
  await visitor.goto(`${home.service.url}/forms/${form.slug}`);
  await expect
    .poll(() =>
      visitor.locator('img.cover').evaluate((image: any) => [image.naturalWidth, image.naturalHeight]),
    )
    .toEqual([2_000, 1_000]);
});

test('one that is there is chosen again, for an option; what no form shows any more can be removed', async () => {
  const form = await home.form({
    title: 'Stands',
    properties: [
      aField('stand', 'select', 'Which stand?', {
        option_display_mode: 'text_and_image',
        without_dropdown: true,
        select: { options: [{ id: 'a', name: 'Books', image: 'https://example.com/a.png' }] },
      }),
    ],
  });
  const page = await open(form, 'build');
  await page.getByRole('button', { name: 'Settings of Which stand?' }).click();
  await page.getByRole('button', { name: 'Choose: Picture of option 1' }).click();
  await upload(page, 'books.svg', 'image/svg+xml', drawing('Books'));
  await page.getByRole('button', { name: 'Change: Picture of option 1' }).click();
  await page.getByRole('button', { name: /^Choose picture 1, added/ }).waitFor();
  await expectFine(page, 'pictures');

  await page.getByRole('button', { name: /^Remove picture 1, added/ }).click();
  await page.getByRole('button', { name: 'Remove picture', exact: true }).click();
  await page.getByText('It is shown in “Stands”. Take it out there first, and publish that.').waitFor();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: /^Choose picture 1, added/ }).click();

  await page.getByRole('button', { name: 'Remove: Picture of option 1' }).click();
  await page.getByLabel('Picture of option 1', { exact: true }).fill('https://example.com/b.png');
  const draft = () => home.call('GET', `/open/forms/${form.id}/draft`).then(({ text }) => text);
  await expect.poll(draft).toContain('b.png');
  await page.getByRole('button', { name: 'Choose: Picture of option 1' }).click();
  const count = await page.getByRole('button', { name: /^Remove picture \d/ }).count();
  await page.getByRole('button', { name: /^Remove picture 1, added/ }).click();
  await page.getByRole('button', { name: 'Remove picture', exact: true }).click();
  await page.getByText('Picture removed.').waitFor();
  await expect.poll(() => page.getByRole('button', { name: /^Remove picture \d/ }).count()).toBe(count - 1);
});

test.each([
  ['no picture', 'notes.png', 'image/jpeg', Buffer.from('Notes'), 'A browser cannot show this picture.'],
  [
    'a picture of another kind than its name says',
    'notes.svg',
    'image/svg+xml',
    Buffer.from('Notes'),
    'The picture must be a PNG, JPEG, GIF, WebP, AVIF or SVG.',
  ],
  [
    'an animation that is too large',
    'long.gif',
    'image/gif',
    Buffer.alloc(2 * 1024 * 1024 + 1),
    'The picture is larger than 2 MB. Make it smaller, or choose another.',
  ],
])('%s is refused where it was chosen', async (_, name, type, content, words) => {
  const form = await home.form();
  const page = await open(form, 'settings?part=search');
  await page.getByRole('button', { name: 'Choose: Picture' }).click();
  await upload(page, name, type, content);
  await page.getByText(words).waitFor();
  await upload(page, 'good.svg', 'image/svg+xml', drawing(name));
  await page.getByRole('button', { name: 'Change: Picture' }).waitFor();
});

test('who may only look chooses nothing', async () => {
  const form = await home.form({ logo_picture: 'https://example.com/logo.png' });
  const page = await signedInPage(browser, home.service.url, await home.member('readonly'));
  await page.goto(
    `${home.service.url}/workspaces/${home.workspaceId}/forms/${form.id}/settings?part=appearance`,
  );
  const logo = page.getByLabel('Logo', { exact: true });
  await logo.waitFor();
  expect(await logo.isEditable()).toBe(false);
  expect(await page.getByRole('button', { name: /^Choose: / }).count()).toBe(0);
});
