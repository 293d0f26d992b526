import { expect, test } from 'vitest';
import { useBrowser } from '../setup/browser.ts';
import { aTextField, TEXT_FIELD_ID } from '../setup/factories.ts';
import { useHome } from '../setup/home.ts';

const browser = useBrowser();
const home = useHome();

test('with the script, what was begun on one device is gone on with on another, and sent once', async () => {
  const form = await home.form({ properties: [aTextField()], enable_partial_submissions: true });
  const path = `/open/forms/${form.id}/`;
  await home.call('PUT', `${path}personal-links`, { required: true });
  const { body } = await home.call('POST', `${path}recipients`, { recipients: [{ name: 'Ada' }] });
  const [{ link }] = body.recipients;
  const open = async (address: string) => {
    const page = await (await browser.context()).newPage();
    await page.goto(address);
    return page;
  };

  const phone = await open(link);
  await phone.getByLabel('Name').fill('Ad');
  // Offered once the answers are saved: a link to continue on another device.
  await phone.getByText('Continue later').click();
  const later = await phone.getByLabel(/link/i).inputValue();
  const names = [...new URL(later).searchParams.keys()].toSorted();
  expect(names).toEqual(['personal', 'submission_hash']);
  await phone.close();

  const desk = await open(link);
  await expect.poll(() => desk.getByLabel('Name').inputValue()).toBe('Ad');
  await desk.getByLabel('Name').fill('Ada');
  await desk.getByRole('button', { name: 'Submit' }).click();
  await desk.locator('.thank-you').waitFor();
  const records = await home.records(form);
  expect(records.map(({ status, data }) => [status, data[TEXT_FIELD_ID]])).toEqual([['completed', 'Ada']]);
  for (const address of [link, later]) {
    const again = await open(address);
    await again.getByText('Already answered').waitFor();
  }
});

test('what somebody else has begun on the same device stays theirs', async () => {
  const form = await home.form({
    properties: [aTextField()],
    enable_partial_submissions: true,
    auto_save: true,
  });
  const { body } = await home.call('POST', `/open/forms/${form.id}/recipients`, {
    recipients: [{ name: 'Ada' }],
  });
  const context = await browser.context();
  const open = async (address: string) => {
    const page = await context.newPage();
    await page.goto(address);
    return page;
  };
  const theirs = await open(form.share_url);
  await theirs.getByLabel('Name').fill('Eve');
  await theirs.getByText('Continue later').waitFor();

  const page = await open(body.recipients[0].link);
  await page.getByLabel('Name').pressSequentially('Ada');
  await expect.poll(() => page.getByLabel('Name').inputValue()).toBe('Ada');
  await page.getByRole('button', { name: 'Submit' }).click();
  await page.locator('.thank-you').waitFor();
  const records = await home.records(form);
  expect(records.map(({ status, data }) => [status, data[TEXT_FIELD_ID]])).toEqual([
    ['completed', 'Ada'],
    ['partial', 'Eve'],
  ]);
  const again = await open(form.share_url);
  await again.locator('.restored').waitFor();
  await expect.poll(() => again.getByLabel('Name').inputValue()).toBe('Eve');
});
