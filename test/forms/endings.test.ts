import { describe, expect, test } from 'vitest';
import { aVisitor } from '../public-pages/visitor.ts';
import { useBrowser } from '../setup/browser.ts';
import { expectInvalid, useHome } from '../setup/home.ts';

const home = useHome();
const browser = useBrowser();
const visitor = () => aVisitor(home.service);

const AGE = { id: 'age', type: 'number', name: 'Age' };
const DRINK = {
  id: 'drink',
  type: 'select',
  name: 'Drink',
  select: { options: ['Tea', 'Coffee', 'Water'].map((name) => ({ id: name, name })) },
};
const NAME = { id: 'name', type: 'text', name: 'Name' };
const PROPERTIES = [AGE, DRINK, NAME];

const when = (id: string, type: string, operator: string, value: unknown) => ({
  operatorIdentifier: 'and',
  children: [{ identifier: id, value: { operator, property_meta: { id, type }, value } }],
});
const mention = (id: string) => `<span mention mention-field-id="${id}" mention-fallback="friend">x</span>`;

const YOUNG = {
  id: 'young',
  name: 'Too young',
  conditions: when('age', 'number', 'less_than', 18),
  submitted_text: `<p>Sorry, ${mention('name')}. Not before you are of age.</p>`,
};
const SHOP = {
  id: 'shop',
  name: 'To the shop',
  conditions: when('drink', 'select', 'equals', 'Coffee'),
  redirect_url: `https://shop.example/?for=${mention('name')}`,
};
const PLAIN = { id: 'plain', name: 'Water', conditions: when('drink', 'select', 'equals', 'Water') };
const SURVEY = {
  properties: PROPERTIES,
  submitted_text: '<p>Here is to you.</p>',
  endings: [YOUNG, SHOP, PLAIN],
};

async function sent(form: { slug: string }, answers: Record<string, string>, query = '') {
  return visitor().send(await visitor().open(`/forms/${form.slug}${query}`), answers);
}

describe('after sending', () => {
  test('the first ending whose conditions hold replaces text and address; otherwise they are as ever', async () => {
    const form = await home.form({ ...SURVEY, redirect_url: 'https://elsewhere.example/' });
    const young = await sent(form, { age: '17', drink: 'Coffee', name: '<Ada>' });
    expect(young.text).toContain('Sorry, <Ada>. Not before you are of age.');
    expect(young.html).not.toContain('<Ada>');
    expect((await sent(form, { age: '40', drink: 'Coffee', name: 'A & B' })).path).toBe(
      'https://shop.example/?for=A%20%26%20B',
    );
    // An ending without a text thanks in the usual words, and leads nowhere.
    const plain = await sent(form, { drink: 'Water' });
    expect(plain.path).toMatch(/^\/forms\/.*thank-you/);
    expect(plain.text).not.toContain('Here is to you.');
    expect((await sent(form, { drink: 'Tea' })).path).toBe('https://elsewhere.example/');
    await home.call('PUT', `/open/forms/${form.id}`, { redirect_url: null });
    expect((await sent(form, { drink: 'Tea' })).text).toContain('Here is to you.');
    expect(await home.records(form)).toHaveLength(5);
  });

  test('with the script, too, and the page may be led away only if something leads away', async () => {
    const form = await home.form(SURVEY);
    const opened = await visitor().open(`/forms/${form.slug}`);
    expect(opened.headers.get('content-security-policy')).toContain("form-action 'self' https: http:");
    expect(opened.html).not.toContain('of age');
    const page = await browser.page();
    await page.goto(`${home.service.url}/forms/${form.slug}`);
    await page.getByLabel('Age').fill('12');
    await page.getByLabel('Name').fill('Tim');
    await page.getByRole('button', { name: 'Submit' }).click();
    await page.getByText('Sorry, Tim. Not before you are of age.').waitFor();
    await page.reload();
    await page.getByText('Sorry, Tim. Not before you are of age.').waitFor();

    const staying = await home.form({ ...SURVEY, endings: [YOUNG, PLAIN] });
    const { headers } = await visitor().open(`/forms/${staying.slug}`);
    expect(headers.get('content-security-policy')).toContain("form-action 'self';");
  });

  test('conditions may ask what the form computes, and texts may say it', async () => {
    const form = await home.form({
      properties: [AGE],
      computed_variables: [{ id: 'cv_left', name: 'Left', formula: '18 - {age}' }],
      endings: [
        {
          name: 'Wait',
          conditions: when('cv_left', 'computed', 'greater_than', 0),
          submitted_text: `<p>Another ${mention('cv_left')} years.</p>`,
        },
      ],
    });
    expect((await sent(form, { age: '15' })).text).toContain('Another 3 years.');
    expect((await sent(form, { age: '18' })).text).not.toContain('Another');
  });

  test('they follow a correction of the answers', async () => {
    const form = await home.form({ ...SURVEY, editable_submissions: true });
    const first = await sent(form, { age: '9', name: 'Tim' });
    const edit = /href="(\/forms\/[^"]*submission_id=[^"]*)"/.exec(first.html)?.[1] ?? '';
    const editing = await visitor().open(edit.replaceAll('&amp;', '&'));
    expect((await visitor().send(editing, { age: '19' })).text).toContain('Here is to you.');
    expect(await home.records(form)).toHaveLength(1);
  });

  test('by a personal link, in steps, and for what is set aside as spam', async () => {
    const steps = [AGE, { id: 'next', type: 'nf-page-break', name: 'Next' }, DRINK, NAME];
    const form = await home.form({ ...SURVEY, properties: steps, settings: { sets_spam_aside: true } });
    const { open, send } = visitor();
    const added = await home.call('POST', `/open/forms/${form.id}/recipients`, {
      recipients: [{ name: 'Ada' }],
    });
    const { pathname, search } = new URL(added.body.recipients[0].link);
    const second = await send(await open(pathname + search), { age: '9' });
    expect((await send(second, { name: 'Ada' })).text).toContain('Sorry, Ada.');

    const links = 'https://a.example https://b.example https://c.example https://d.example';
    const suspect = await send(await open(`/forms/${form.slug}`), { age: '9' });
    expect((await send(suspect, { name: links })).text).toContain('Sorry, https://a.example');
    const aside = await home.call('GET', `/open/forms/${form.id}/submissions/set-aside`);
    expect(aside.body.data).toHaveLength(1);
  });

  test('of a submission that was saved on the way', async () => {
    const form = await home.form({ ...SURVEY, enable_partial_submissions: true });
    const page = await browser.page();
    await page.goto(`${home.service.url}/forms/${form.slug}`);
    await page.getByLabel('Age').fill('12');
    const saved = async () =>
      (await home.call('GET', `/open/forms/${form.id}/submissions?status=partial`)).body.data.length;
    await expect.poll(saved).toBe(1);
    await page.getByLabel('Name').fill('Tim');
    await page.getByRole('button', { name: 'Submit' }).click();
    await page.getByText('Sorry, Tim. Not before you are of age.').waitFor();
    expect(await home.records(form)).toHaveLength(1);
  });

  test('in other languages; without a translation in the language of the form', async () => {
    const form = await home.form({
      ...SURVEY,
      translations: {
        de: {
          title: 'Umfrage',
          submitted_text: '<p>Zum Wohl!</p>',
          endings: { young: { submitted_text: `<p>Leider nein, ${mention('name')}.</p>` } },
        },
        fr: { title: 'Sondage' },
      },
    });
    expect((await sent(form, { age: '17', name: 'Ada' }, '?lang=de')).text).toContain('Leider nein, Ada.');
    expect((await sent(form, { age: '18' }, '?lang=de')).text).toContain('Zum Wohl!');
    expect((await sent(form, { age: '17' }, '?lang=fr')).text).toContain('Sorry, friend.');
  });

  test('a preview shows where answers lead without storing any', async () => {
    const answer = await home.call('POST', '/open/forms/preview', {
      workspace_id: home.workspaceId,
      title: 'Soon',
      ...SURVEY,
    });
    expect(answer.status, answer.text).toBe(201);
    const { pathname } = new URL(answer.body.url);
    const open = () => visitor().open(pathname);
    const young = await visitor().send(await open(), { age: '3', name: 'Zoë' });
    expect(young.text).toContain('Sorry, Zoë. Not before you are of age.');
    const led = await visitor().send(await open(), { age: '30', drink: 'Coffee', name: 'Zoë' });
    expect(led.text).toContain('leads on to https://shop.example/?for=Zo%C3%AB');
    expect((await visitor().send(await open(), { age: '30' })).text).toContain('Here is to you.');
  });
});

describe('the API', () => {
  const save = (form: { id: number }, endings: unknown, more = {}) =>
    home.call('PUT', `/open/forms/${form.id}`, { endings, ...more });

  test('makes ids, cleans texts, keeps what was read, and tells visitors nothing', async () => {
    const form = await home.form({
      properties: PROPERTIES,
      endings: [
        {
          name: ' Young ',
          conditions: YOUNG.conditions,
          submitted_text: '<p>No<script>alert(1)</script></p>',
          redirect_url: ' ',
        },
      ],
    });
    expect(form.endings).toEqual([
      {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        name: 'Young',
        conditions: YOUNG.conditions,
        submitted_text: '<p>No</p>',
        redirect_url: null,
      },
    ]);
    const read = (await home.call('GET', `/open/forms/${form.id}`)).body;
    const again = await home.call('PUT', `/open/forms/${form.id}`, read);
    expect(again.body.form.endings).toEqual(form.endings);
    expect((await home.service.request('GET', `/forms/${form.slug}`)).text).not.toContain('endings');
    expect((await save(form, null)).body.form.endings).toEqual([]);
  });

  test('refuses what leads nowhere', async () => {
    const form = await home.form({ properties: PROPERTIES });
    const { conditions } = YOUNG;
    const bad = async (ending: object, ...keys: string[]) =>
      expectInvalid(await save(form, [PLAIN, ending]), ...keys);
    await bad({ conditions }, 'endings.1.name');
    await bad({ name: 'None' }, 'endings.1.conditions');
    await bad({ name: 'None', conditions: {} }, 'endings.1.conditions');
    await bad({ name: 'Same', id: 'plain', conditions }, 'endings.1.id');
    expect(await bad({ name: 'Same', id: 'none', conditions }, 'endings.1.id')).toEqual({
      'endings.1.id': ['The id may not be none: filters mean submissions without an ending by it.'],
    });
    await bad({ name: 'Long', conditions, submitted_text: 'x'.repeat(10_001) }, 'endings.1.submitted_text');
    await bad({ name: 'Long', conditions, redirect_url: 'x'.repeat(2_049) }, 'endings.1.redirect_url');
    const half = when('age', 'number', 'nonsense', 3);
    expect(await bad({ name: 'Half', conditions: half }, 'endings.1.conditions')).toEqual({
      'endings.1.conditions': [
        'The conditions for Half are not complete. Error detail(s): configuration not found for condition operator',
      ],
    });
    expectInvalid(await save(form, 'text'), 'endings');
    expectInvalid(await save(form, Array(51).fill({ name: 'Many', conditions })), 'endings');
    const long = { operatorIdentifier: 'and', children: Array(300).fill(conditions.children[0]) };
    const two = ['One', 'Two'].map((name) => ({ name, conditions: long }));
    expect(expectInvalid(await save(form, two), 'endings')).toEqual({
      endings: ['The endings may not have more than 500 conditions together.'],
    });
  });

  test('an ending that has the id none already may stay', async () => {
    const form = await home.form({ properties: PROPERTIES });
    const ending = { ...YOUNG, id: 'none', submitted_text: null, redirect_url: null };
    await home.service.context.pool.query(
      `update forms set presentation = presentation || jsonb_build_object('endings', $2::jsonb) where id = $1`,
      [form.id, JSON.stringify([ending])],
    );
    expect((await save(form, [ending, PLAIN])).status).toBe(200);
  });

  test('what asks for a question that is gone or changed may stay as it is', async () => {
    const form = await home.form(SURVEY);
    const properties = [{ ...AGE, type: 'text' }, NAME];
    expect((await home.call('PUT', `/open/forms/${form.id}`, { properties })).status).toBe(200);
    const read = (await home.call('GET', `/open/forms/${form.id}`)).body;
    expect(read.endings.map(({ id }: any) => id)).toEqual(['young', 'shop', 'plain']);
    expect((await home.call('PUT', `/open/forms/${form.id}`, read)).status).toBe(200);
    expect((await sent(form, { age: 'seventeen' })).text).toContain('Here is to you.');
  });

  test('conditions follow a renamed option', async () => {
    const form = await home.form(SURVEY);
    const options = ['Tea', 'Espresso', 'Water'].map((name, n) => ({ ...DRINK.select.options[n], name }));
    const properties = [AGE, { ...DRINK, select: { options } }, NAME];
    const saved = await home.call('PUT', `/open/forms/${form.id}`, { properties });
    expect(saved.body.form.endings[1].conditions).toEqual(when('drink', 'select', 'equals', 'Espresso'));
    expect((await sent(form, { drink: 'Espresso' })).path).toMatch(/^https:\/\/shop/);
    // Whoever sends conditions of their own means them.
    const told = await home.call('PUT', `/open/forms/${form.id}`, {
      properties: PROPERTIES,
      endings: [{ ...SHOP, conditions: when('drink', 'select', 'equals', 'Espresso') }],
    });
    expect(told.body.form.endings[0].conditions).toEqual(when('drink', 'select', 'equals', 'Espresso'));
  });

  test('conditions follow options whose names are swapped, or taken by another', async () => {
    const form = await home.form(SURVEY);
    const save = (...named: [id: string, name: string][]) => {
      const options = named.map(([id, name]) => ({ id, name }));
      return home.call('PUT', `/open/forms/${form.id}`, {
        properties: [AGE, { ...DRINK, select: { options } }, NAME],
      });
    };
    const asked = (saved: { body: any }) =>
      saved.body.form.endings.slice(1).map(({ conditions }: any) => conditions.children[0].value.value);
    expect(asked(await save(['Tea', 'Tea'], ['Coffee', 'Water'], ['Water', 'Coffee']))).toEqual([
      'Water',
      'Coffee',
    ]);
    expect((await sent(form, { drink: 'Water' })).path).toMatch(/^https:\/\/shop/);
    expect(asked(await save(['new', 'Water'], ['Coffee', 'Black coffee'], ['Water', 'Coffee']))).toEqual([
      'Black coffee',
      'Coffee',
    ]);
    // Two of one name: whoever chose either is meant, and one keeps it.
    await save(['a', 'Coffee'], ['Coffee', 'Black coffee'], ['Water', 'Coffee']);
    expect(asked(await save(['a', 'Coffee'], ['Coffee', 'Black coffee'], ['Water', 'Mocha']))).toEqual([
      'Black coffee',
      'Coffee',
    ]);
  });

  test('a version that is restored has its endings as they were', async () => {
    const form = await home.form(SURVEY);
    const before = form.endings;
    const options = ['Tea', 'Water', 'Coffee'].map((name, n) => ({ ...DRINK.select.options[n], name }));
    const properties = [AGE, { ...DRINK, select: { options } }, NAME];
    await home.call('PUT', `/open/forms/${form.id}`, { properties });
    // Asks for the names of the version again, which are those of the other options now.
    await save(form, before);
    const { body: versions } = await home.call('GET', `/open/forms/${form.id}/versions`);
    const { version } = versions.at(-1);
    const back = await home.call('POST', `/open/forms/${form.id}/versions/${version}/restore`);
    expect(back.status, back.text).toBe(200);
    const { body } = await home.call('GET', `/open/forms/${form.id}`);
    expect([body.properties[1].select, body.endings]).toEqual([DRINK.select, before]);
  });

  test('a preview follows options that the draft renames', async () => {
    const form = await home.form({
      ...SURVEY,
      translations: { de: { properties: { drink: { labels: { Coffee: 'Kaffee' } } } } },
    });
    const options = ['Tea', 'Espresso', 'Water'].map((name, n) => ({ ...DRINK.select.options[n], name }));
    const properties = [AGE, { ...DRINK, select: { options } }, NAME];
    const { body } = await home.call('POST', `/open/forms/${form.id}/preview`, { properties });
    const { pathname } = new URL(body.url);
    const led = await visitor().send(await visitor().open(pathname), { drink: 'Espresso', name: 'Zoë' });
    expect(led.text).toContain('leads on to https://shop.example/?for=Zo%C3%AB');
    expect((await visitor().open(`${pathname}?lang=de`)).text).toContain('Kaffee');
  });

  test('a draft that renames an option is published without a question, also if endings were saved meanwhile', async () => {
    const form = await home.form({ ...SURVEY, endings: [] });
    const options = ['Tea', 'Espresso', 'Water'].map((name, n) => ({ ...DRINK.select.options[n], name }));
    const properties = [AGE, { ...DRINK, select: { options } }, NAME];
    const draft = `/open/forms/${form.id}/draft`;
    expect((await home.call('PUT', draft, { properties })).status).toBe(200);
    const translations = { de: { properties: { drink: { labels: { Coffee: 'Kaffee' } } } } };
    await save(form, [SHOP], { translations });
    const published = await home.call('POST', `${draft}/publish`);
    expect(published.status, published.text).toBe(200);
    const { body } = await home.call('GET', `/open/forms/${form.id}`);
    expect(body.endings[0].conditions).toEqual(when('drink', 'select', 'equals', 'Espresso'));
    expect(body.translations.de.properties.drink.labels).toEqual({ Espresso: 'Kaffee' });
  });

  test('duplicates and versions bring them along', async () => {
    const form = await home.form(SURVEY);
    const copy = (await home.call('POST', `/open/forms/${form.id}/duplicate`)).body;
    const copied = (await home.call('GET', `/open/forms/${copy.new_form.id}`)).body;
    expect(copied.endings).toEqual(form.endings);
    await save(form, [], { submitted_text: '<p>Changed</p>' });
    const versions = (await home.call('GET', `/open/forms/${form.id}/versions`)).body;
    expect(versions[0].changed).toEqual(['endings', 'submitted_text']);
    const back = await home.call('POST', `/open/forms/${form.id}/versions/${versions[1].version}/restore`);
    expect(back.status, back.text).toBe(200);
    expect((await home.call('GET', `/open/forms/${form.id}`)).body.endings).toEqual(form.endings);
  });
});
