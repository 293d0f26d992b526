import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import type { Definition } from '../../dashboard/form-builder/definition.ts';
import { mergeDefinitions } from '../../dashboard/form-builder/saving/merge.ts';
import { useBrowser } from '../setup/browser.ts';
import { aField } from '../setup/factories.ts';
import { useHome } from '../setup/home.ts';
import { expectFine, keepMessages, signedInPage } from './screens.ts';

const browser = useBrowser();
const home = useHome();

test('two people change different questions of a form, and both are kept', async () => {
  const { form, mine, theirs } = await twoBuilding(['A', 'B', 'C']);
  await names(theirs).nth(0).fill('A by Grace');
  await saved(theirs);
  await names(mine).nth(2).fill('C by Ada');
  const both = mine.getByRole('button', { name: 'Keep both' });
  await both.waitFor();
  await expectFine(mine, 'changes of two');
  await both.click();
  await saved(mine);
  await expect.poll(() => texts(mine)).toEqual(['A by Grace', 'B', 'C by Ada']);
  await expect.poll(() => draftedNames(form)).toEqual(['A by Grace', 'B', 'C by Ada']);

  // The same question is one's or the other's.
  await names(theirs).nth(2).fill('C by Grace');
  await theirs.getByText(/saved changes to this form/).waitFor();
  await theirs.getByRole('button', { name: 'Keep mine' }).waitFor();
  expect(await theirs.getByRole('button', { name: 'Keep both' }).count()).toBe(0);

  // What the other had saved is found in the history.
  await theirs.getByRole('button', { name: 'Keep mine' }).click();
  await saved(theirs);
  await theirs.goto(`${buildPath(form)}/history`);
  const replaced = theirs.getByRole('listitem').filter({ hasText: 'Not published' });
  expect(await replaced.innerText()).toContain('Ada');
  await replaced.getByRole('link').click();
  await theirs.getByText('Never published: other changes were saved in place of these.').waitFor();
  await expectFine(theirs, 'changes that were saved over');
});

test('theirs is kept in the history also where the network is lost while one keeps one’s own', async () => {
  const { form, mine, theirs } = await twoBuilding(['A']);
  await names(theirs).first().fill('A by Grace');
  await expect.poll(() => draftedNames(form)).toEqual(['A by Grace']);
  await names(mine).first().fill('A by Ada');
  const keep = mine.getByRole('button', { name: 'Keep mine' });
  await keep.waitFor();
  await mine.route(/\/draft\?/, (route) => route.abort(), { times: 1 });
  await keep.click();
  await keep.waitFor({ state: 'detached' });
  await saved(mine);
  expect(await draftedNames(form)).toEqual(['A by Ada']);
  expect(await replacedNames(form)).toEqual(['A by Grace']);
});

test('taking theirs can be undone, which keeps theirs in the history', async () => {
  const { form, mine, theirs } = await twoBuilding(['A']);
  await names(theirs).first().fill('A by Grace');
  await expect.poll(() => draftedNames(form)).toEqual(['A by Grace']);
  await names(mine).first().fill('A by Ada');
  await keepMessages(mine);
  await mine.getByRole('button', { name: 'Take theirs' }).click();
  await expect.poll(() => texts(mine)).toEqual(['A by Grace']);
  await mine.getByText('The other changes were taken over.').waitFor();
  await expectFine(mine, 'the other changes taken over');
  await mine.getByRole('region', { name: 'Messages' }).getByRole('button', { name: 'Undo' }).click();
  await expect.poll(() => draftedNames(form)).toEqual(['A by Ada']);
  expect(await replacedNames(form)).toEqual(['A by Grace']);
});

test('what the builder does not show stays as somebody else saved it, whichever of both goes on', async () => {
  const { form, mine } = await twoBuilding(['A']);
  const draft = async () => (await home.call('GET', `/open/forms/${form.id}/draft`)).body.definition;
  const unseen = { slug: 'by-a-program', can_be_indexed: false };
  const [question] = form.properties;
  const program = { ...unseen, password: 'a secret', properties: [{ ...question, name: 'A by a program' }] };
  await home.call('PUT', `/open/forms/${form.id}/draft`, program);
  await names(mine).first().fill('A by Ada');
  await mine.getByRole('button', { name: 'Keep these' }).click();
  await saved(mine);
  expect(await draft()).toMatchObject({ ...unseen, properties: [{ name: 'A by Ada' }] });
  expect(await replacedNames(form)).toEqual(['A by a program']);

  await home.call('PUT', `/open/forms/${form.id}/draft`, { ...program, slug: 'another' });
  await names(mine).first().fill('A by Ada again');
  await mine.getByRole('button', { name: 'Take those' }).click();
  await expect.poll(() => texts(mine)).toEqual(['A by a program']);
  await mine.getByRole('button', { name: 'Undo', exact: true }).first().click();
  // Typing on before it is saved changes nothing of what the history keeps.
  await names(mine).first().fill('A by Ada at last');
  await expect
    .poll(draft)
    .toMatchObject({ ...unseen, slug: 'another', properties: [{ name: 'A by Ada at last' }] });
  expect(await replacedNames(form)).toEqual(['A by a program']);
  expect((await versionsOf(form)).filter(({ of_draft: isDraft }) => isDraft)).toHaveLength(2);
  await mine.getByRole('button', { name: 'Publish' }).click();
  await mine.getByText('password').waitFor();
  await mine
    .getByRole('dialog')
    .getByRole('button', { name: /^Publish/ })
    .click();
  await mine.getByText('The form is published.').waitFor();
  expect((await home.submit(form, { [question?.id ?? '']: 'x' })).status).toBe(403);
});

test('a form that somebody closed stays closed where one keeps one’s own and publishes it', async () => {
  const { form, mine } = await twoBuilding(['A'], { visibility: 'draft' });
  const ofForm = (rest = '') => `/open/forms/${form.id}${rest}`;
  await names(mine).first().fill('A by Ada');
  await expect.poll(() => draftedNames(form)).toEqual(['A by Ada']);
  const published = await home.call('POST', ofForm('/draft/publish'), { visibility: 'public' });
  expect(published.body.form.visibility).toBe('public');
  await home.call('PUT', ofForm(), { title: 'By Grace', visibility: 'closed' });
  await names(mine).first().fill('A by Ada again');
  await mine.getByRole('button', { name: 'Keep mine' }).click();
  await saved(mine);
  await mine.getByRole('button', { name: 'Publish' }).click();
  const dialog = mine.getByRole('dialog', { name: 'Publish the changes?' });
  await dialog.getByText('it stays closed').waitFor();
  await dialog.getByRole('button', { name: /^Publish/ }).click();
  await mine.getByText('The form is published.').waitFor();
  expect((await home.call('GET', ofForm())).body).toMatchObject({
    visibility: 'closed',
    properties: [{ name: 'A by Ada again' }],
  });
});

test('what a program put into the draft is kept, named, undone and published with what is built', async () => {
  const form = await home.form({ properties: [aField('01', 'text', 'A')] });
  const ofForm = (rest = '') => `/open/forms/${form.id}${rest}`;
  const draft = async () => (await home.call('GET', ofForm('/draft'))).body.definition;
  const others = {
    submitted_text: '<p>Many thanks</p>',
    computed_variables: [{ id: 'cv_one', name: 'One', formula: '1', result_type: 'number' }],
    password: 'a secret',
  };
  await home.call('PUT', ofForm('/draft'), others);
  const page = await signedInPage(browser, home.service.url, home.ada);
  await page.goto(`${home.service.url}/workspaces/${home.workspaceId}/forms/${form.id}/build`);
  await page.getByText('changes not published').waitFor();
  await names(page).first().fill('A by Ada');
  await expect
    .poll(async () => Object.keys(await draft()).sort())
    .toEqual([...Object.keys(others), 'properties'].sort());
  await page.getByRole('button', { name: 'Publish' }).click();
  await page.getByText('thank-you text, calculations, password').waitFor();
  await expectFine(page, 'publishing what a program changed');
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Publish/ })
    .click();
  await page.getByText('The form is published.').waitFor();
  const online = (await home.call('GET', ofForm())).body;
  expect(online).toMatchObject({ submitted_text: others.submitted_text, properties: [{ name: 'A by Ada' }] });
  expect(online.computed_variables).toMatchObject(others.computed_variables);
  expect((await home.submit(form, { [form.properties[0].id]: 'x' })).status).toBe(403);
  // It is no change any more: taking back what was built does not bring it back.
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await expect.poll(async () => Object.keys((await draft()) ?? {})).toEqual(['properties']);

  await home.call('PUT', ofForm('/draft'), { color: '#ff0000', password: 'another secret' });
  await page.reload();
  await page.getByRole('button', { name: 'Discard changes' }).click();
  await page.getByText('These changes also set a password').waitFor();
  await expectFine(page, 'discarding a password');
  await page.getByRole('button', { name: 'Discard', exact: true }).click();
  await page.getByText('The changes were discarded.').waitFor();
  expect(await draft()).toBeUndefined();
  await page.getByRole('button', { name: 'Undo', exact: true }).first().click();
  await expect.poll(draft).toEqual({ color: '#ff0000' });
  await page.getByRole('button', { name: 'Publish' }).click();
  await page.getByText('from changes made outside the builder: color.').waitFor();
});

test('whose role is taken away while building is told so, and can do what a viewer can', async () => {
  const form = await home.form({ properties: [aField('01', 'text', 'A')] });
  const grace = await home.newMember('user');
  const page = await signedInPage(browser, home.service.url, grace);
  await page.goto(`${home.service.url}/workspaces/${home.workspaceId}/forms/${form.id}/build`);
  await names(page).first().fill('A by Grace');
  await saved(page);
  const publish = page.getByRole('button', { name: 'Publish' });
  expect(await publish.getAttribute('aria-disabled')).not.toBe('true');
  const path = `/open/workspaces/${home.workspaceId}/users/${grace.id}/update-role`;
  expect((await home.call('PUT', path, { role: 'readonly' })).status).toBe(200);
  await names(page).first().fill('A too late');
  const word = page.getByText('Your role in this workspace was changed: you are a viewer now');
  await word.waitFor();
  expect(await word.innerText()).toContain('Your last changes are not saved.');
  await publish.and(page.locator('[aria-disabled=true]')).waitFor();
  await expectFine(page, 'a role that was taken away');
});

describe('changes of two are one', () => {
  const of = (ids: string, names: Record<string, string> = {}): Definition => ({
    title: names.title ?? 'T',
    description: null,
    submit_button_text: null,
    properties: [...ids].map((id) => ({ id, type: 'text', name: names[id] ?? id })),
  });
  const idsOf = (merged: Definition | null) => merged?.properties.map(({ id }) => id).join('') ?? null;

  test.each([
    ['abc', 'abc', 'abc', 'abc'],
    ['abc', 'axbc', 'abyc', 'axbyc'],
    ['abc', 'ac', 'abcz', 'acz'],
    ['abc', 'cab', 'abxc', 'cabx'],
    ['abc', 'xabc', 'cba', 'xcba'],
    ['abc', 'cab', 'cab', 'cab'],
    ['abc', 'cab', 'bca', null],
    ['', 'a', 'b', 'ab'],
  ])('of %s: %s and %s', (base, mine, theirs, merged) => {
    const found = idsOf(mergeDefinitions(of(base), of(mine), of(theirs)));
    // Which of two new blocks at the same place is first does not matter.
    expect(found && [...found].sort().join('')).toBe(merged && [...merged].sort().join(''));
    if (base !== '') expect(found).toBe(merged);
  });

  test('unless the same was changed, or changed by one and deleted by the other', () => {
    expect(mergeDefinitions(of('ab'), of('ab', { a: 'x' }), of('ab', { a: 'y' }))).toBeNull();
    expect(mergeDefinitions(of('ab'), of('b'), of('ab', { a: 'y' }))).toBeNull();
    expect(mergeDefinitions(of('a'), of('a', { title: 'x' }), of('a', { title: 'y' }))).toBeNull();
    const merged = mergeDefinitions(of('ab'), of('ab', { title: 'x' }), of('ab', { b: 'y' }));
    expect(merged).toEqual(of('ab', { title: 'x', b: 'y' }));
  });
});

/** Ada and Grace, each with the builder open for a form with questions of these names. */
async function twoBuilding(questions: string[], members: object = {}) {
  const properties = questions.map((name, at) => aField(`0${at}`, 'text', name));
  const form = await home.form({ ...members, properties });
  const grace = await home.newMember('user');
  const [mine, theirs] = await Promise.all([
    signedInPage(browser, home.service.url, home.ada),
    signedInPage(browser, home.service.url, grace),
  ]);
  for (const page of [mine, theirs]) {
    await page.goto(buildPath(form));
    await names(page).first().waitFor();
  }
  return { form, mine, theirs };
}

function buildPath({ id }: { id: number }): string {
  return `${home.service.url}/workspaces/${home.workspaceId}/forms/${id}/build`;
}

async function draftedNames({ id }: { id: number }): Promise<string[]> {
  return namesIn((await home.call('GET', `/open/forms/${id}/draft`)).body);
}

/** Of the draft that was saved over last. */
async function replacedNames({ id }: { id: number }): Promise<string[]> {
  const replaced = (await versionsOf({ id })).find(({ of_draft: isDraft }) => isDraft);
  if (!replaced) return [];
  return namesIn((await home.call('GET', `/open/forms/${id}/versions/${replaced.version}`)).body);
}

async function versionsOf({ id }: { id: number }): Promise<{ version: number; of_draft: boolean }[]> {
  return (await home.call('GET', `/open/forms/${id}/versions`)).body;
}

function namesIn({ definition }: { definition?: { properties: { name: string }[] } }): string[] {
  return definition?.properties.map(({ name }) => name) ?? [];
}

function names(page: Page) {
  return page.locator('[data-name-of]');
}

function texts(page: Page): Promise<string[]> {
  return names(page).evaluateAll((all) => all.map((one) => (one as HTMLTextAreaElement).value));
}

function saved(page: Page): Promise<void> {
  return page.getByRole('status').getByText('Saved', { exact: true }).waitFor();
}
