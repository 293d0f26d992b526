import { expect, test } from 'vitest';
import { PHONE, useBrowser } from '../setup/browser.ts';
import { aField } from '../setup/factories.ts';
import { useHome } from '../setup/home.ts';
import { runAllJobs } from '../setup/run-jobs.ts';
import { expectFine, signedInPage } from './screens.ts';

const browser = useBrowser();
const home = useHome({ env: { ROLES: 'http' } });

const topic = (...names: string[]) =>
  aField('1', 'select', 'Topic', {
    select: { options: names.map((name, index) => ({ id: `o${index}`, name })) },
  });
const TOPIC = topic().id;
const topics = async (form: { id: number }) => (await home.records(form)).map(({ data }) => data[TOPIC]);

async function anAnsweredForm(title: string) {
  const form = await home.form({ title, properties: [topic('Slaes', 'Help')] });
  for (const name of ['Slaes', 'Help', 'Slaes']) await home.submit(form, { [TOPIC]: name });
  return form;
}

test('who publishes a renamed option may have past answers renamed, and nothing is unless they say so', async () => {
  const form = await anAnsweredForm('Renamed');
  const draft = (...names: string[]) =>
    home.call('PUT', `/open/forms/${form.id}/draft`, { properties: [topic(...names)] });
  expect((await draft('Sales', 'Help')).status).toBe(200);
  const page = await signedInPage(browser, home.service.url, home.ada);
  const build = `${home.service.url}/workspaces/${home.workspaceId}/forms/${form.id}/build`;
  const publish = async (renames: boolean) => {
    await page.goto(build);
    await page.getByRole('button', { name: /^Publish/ }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: /^Publish/ }).waitFor();
    const box = dialog.getByLabel('Rename options in past answers, too');
    expect(await box.isChecked()).toBe(false);
    if (renames) {
      await box.check();
      await expectFine(page, 'renamed options');
    }
    await dialog.getByRole('button', { name: /^Publish/ }).click();
    await page.getByText('The form is published.').waitFor();
  };
  await publish(false);
  expect(await topics(form)).toEqual(['Slaes', 'Help', 'Slaes']);
  await draft('Sales', 'Support');
  await publish(true);
  await page.getByText('1 answer was renamed.').waitFor();
  expect(await topics(form)).toEqual(['Slaes', 'Support', 'Slaes']);
});

test('answers of unfinished responses may be renamed too, also if the first came after the builder was opened', async () => {
  const form = await home.form({
    title: 'Unfinished',
    properties: [topic('Slaes', 'Help')],
    enable_partial_submissions: true,
  });
  await home.call('PUT', `/open/forms/${form.id}/draft`, { properties: [topic('Sales', 'Help')] });
  const page = await signedInPage(browser, home.service.url, home.ada);
  await page.goto(`${home.service.url}/workspaces/${home.workspaceId}/forms/${form.id}/build`);
  const publish = page.getByRole('button', { name: /^Publish/ });
  const dialog = page.getByRole('dialog');
  const offer = dialog.getByLabel('Rename options in past answers, too');
  await publish.click();
  await dialog.getByText('No problems found.').waitFor();
  expect(await offer.count()).toBe(0);
  await dialog.getByRole('button', { name: 'Not yet' }).click();
  await home.submit(form, { [TOPIC]: 'Slaes', is_partial: true });
  await publish.click();
  await offer.check();
  await dialog.getByRole('button', { name: /^Publish/ }).click();
  await page.getByText('1 answer was renamed.').waitFor();
});

test('an option of a question that was deleted, published and brought back may be renamed in past answers, too', async () => {
  const form = await anAnsweredForm('Brought back');
  const page = await signedInPage(browser, home.service.url, home.ada);
  await page.goto(`${home.service.url}/workspaces/${home.workspaceId}/forms/${form.id}/build`);
  const dialog = page.getByRole('dialog');
  const publish = async () => {
    await page.getByRole('button', { name: /^Publish/ }).click();
    await dialog.getByRole('button', { name: /^Publish/ }).click();
    await page.getByText('The form is published.').waitFor();
  };
  await page.getByRole('button', { name: 'Move Topic' }).press('Delete');
  await publish();
  await page.getByRole('button', { name: 'Undo', exact: true }).first().click();
  await page.getByRole('button', { name: 'Settings of Topic', exact: true }).click();
  await page.getByLabel('Option 1', { exact: true }).fill('Sales');
  await page.getByRole('button', { name: /^Publish/ }).click();
  await dialog.getByLabel('Rename options in past answers, too').check();
  await dialog.getByRole('button', { name: /^Publish/ }).click();
  await page.getByText('2 answers were renamed.').waitFor();
  expect(await topics(form)).toEqual(['Sales', 'Help', 'Sales']);
});

test('what no option is called any more is renamed from the figures', async () => {
  const form = await anAnsweredForm('Figures');
  await home.call('PUT', `/open/forms/${form.id}`, { properties: [topic('Sales', 'Help')] });
  await home.service.context.pool.query(`select graphile_worker.add_job('count_answers')`);
  await runAllJobs(home.service.context);
  const address = `${home.service.url}/workspaces/${home.workspaceId}/forms/${form.id}/analytics`;
  const phone = await signedInPage(browser, home.service.url, home.ada, PHONE);
  await phone.goto(address);
  await phone.getByRole('button', { name: 'Rename “Slaes” in answers' }).waitFor();
  await expectFine(phone, 'a former option on a phone');
  const page = await signedInPage(browser, home.service.url, home.ada);
  await page.goto(address);
  const rename = page.getByRole('button', { name: /^Rename “/ });
  await rename.waitFor();
  expect(await rename.count()).toBe(1);
  await rename.focus();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').getByLabel('New name').selectOption('Sales');
  await expectFine(page, 'rename in answers');
  await page.getByRole('dialog').getByRole('button', { name: 'Rename', exact: true }).click();
  await page.getByText('2 answers were renamed.').waitFor();
  await rename.waitFor({ state: 'detached' });
  expect(await topics(form)).toEqual(['Sales', 'Help', 'Sales']);
});
