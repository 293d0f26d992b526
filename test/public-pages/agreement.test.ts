import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkProperties } from '../../fields/check-properties.ts';
import { compileAnswers } from '../../fields/compile-answers.ts';
import { html } from '../../fields/html/html.ts';
import { readEntries } from '../../fields/html/read-entries.ts';
import { readPost } from '../../fields/html/read-post.ts';
import { pageMessagesFor } from '../../fields/languages/languages.ts';
import type { Answers, ErrorBag, JsonValue, Property } from '../../fields/property.ts';
import { serverEngines } from '../../fields/server-engines.ts';
import { PRESENTATION_DEFAULTS } from '../../server/forms/schemas.ts';
import { completeEngines, createEngines } from '../../server/public-pages/browser/engines.ts';
import { messagesOf } from '../../server/public-pages/browser/page.ts';
import { type ScriptData, scriptData } from '../../server/public-pages/page/script-data.ts';
import { COMMON_TYPES } from '../../server/public-pages/page/script-needs.ts';
import type { PublishedForm } from '../../server/submissions/published-form/published-form.ts';
import { useBrowser } from '../setup/browser.ts';
import { useHome } from '../setup/home.ts';
import { randomForms } from './random-forms.ts';
import { aVisitor } from './visitor.ts';

const home = useHome();
const browser = useBrowser();

const NOW = new Date('2026-05-01T12:00:00Z');
const BROWSER_SAMPLES = 12;
const SEED = 20260501;
/** Only few random forms are valid enough to be saved. */
const SAMPLED_FROM = 4_000;

/** The JSON of a page as the script reads it. */
function dataOf(properties: Property[]): ScriptData {
  const form = {
    slug: 's',
    uuid: 'u',
    properties,
    presentation: PRESENTATION_DEFAULTS,
  } as unknown as PublishedForm;
  const visit = { submissionId: null } as Parameters<typeof scriptData>[0]['visit'];
  return JSON.parse(JSON.stringify(scriptData({ form, visit, isDraft: false }, html``)));
}

async function pageRules(properties: Property[]) {
  const data = dataOf(properties);
  const engines = createEngines();
  await completeEngines(engines, data.needs);
  // There is no DOM here; the test in the browser compares the editor's sanitiser.
  Object.assign(engines, { sanitiseHtml: serverEngines.sanitiseHtml });
  return compileAnswers({ properties: data.properties, messages: messagesOf(data) }, engines);
}

const serverRules = (properties: Property[]) =>
  compileAnswers({ properties, messages: pageMessagesFor('en') }, serverEngines);

function judge(rules: ReturnType<typeof serverRules>, answers: Answers) {
  const shown = rules.show(answers, { now: NOW });
  const { errors } = rules.check(shown.answers, { now: NOW });
  return {
    states: Object.fromEntries(shown.states),
    answers: { ...shown.answers },
    errors: errors && { ...errors },
  };
}

test('page and service agree on what is shown, required and valid', async () => {
  await fc.assert(
    fc.asyncProperty(randomForms, async ({ properties, answers }) => {
      expect(judge(await pageRules(properties), answers)).toEqual(judge(serverRules(properties), answers));
    }),
    { numRuns: 1_500 },
  );
});

test('page and service agree on what entries fill in, and on questions that are gone', async () => {
  const shownIf = (id: string, type: string, operator: string, value: JsonValue) => ({
    conditions: {
      operatorIdentifier: 'and',
      children: [{ identifier: id, value: { operator, property_meta: { id, type }, value } }],
    },
    actions: ['show-block'],
  });
  const questions = [{ id: 'room', type: 'select', name: 'Room', options: ['Double'] }];
  const guests = { id: 'guests', type: 'repeat', name: 'Guests', questions, hidden: true };
  const note = { id: 'note', type: 'text', name: 'Note', hidden: true };
  const forms = [
    // No such room exists, so nothing is filled in.
    [
      { ...guests, prefill: [{ room: 'Suite' }] },
      { ...note, logic: shownIf('guests', 'repeat', 'is_not_empty', true) },
    ],
    [{ ...note, logic: shownIf('gone', 'repeat', 'equals', 0) }],
  ] as unknown as Property[][];
  for (const properties of forms) {
    expect(checkProperties(properties, serverEngines)).toEqual({});
    expect(judge(await pageRules(properties), {})).toEqual(judge(serverRules(properties), {}));
  }
});

test('the script brings the rules of the types that ask for no other part', () => {
  const { rules } = createEngines();
  const open = ['payment', 'computed', 'unknown'];
  expect([...rules.keys(), ...open].sort()).toEqual([...COMMON_TYPES].sort());
});

test('the same in a real browser, through the bundle', async () => {
  const samples = fc
    .sample(randomForms, { seed: SEED, numRuns: SAMPLED_FROM })
    .filter(({ properties }) => Object.keys(checkProperties(properties, serverEngines)).length === 0)
    // A problem on another page would be shown there.
    .filter(({ properties }) => properties.findIndex(({ type }) => type === 'nf-page-break') <= 0)
    .slice(0, BROWSER_SAMPLES);
  expect(samples).toHaveLength(BROWSER_SAMPLES);
  for (const { properties, answers } of samples) {
    const { slug } = await home.form({ properties, auto_save: false });
    const page = await browser.page();
    await page.goto(`${home.service.url}/forms/${slug}`);
    const sent = await page.evaluate(
      async (values: Record<string, unknown>) => {
        await Promise.all(performance.getEntriesByType('resource').map(({ name }) => fetch(name)));
        const form = document.querySelector<HTMLFormElement>('#form')!;
        for (const control of form.querySelectorAll<HTMLInputElement>('[data-block] [name]')) {
          const answer = values[control.name];
          if (answer === undefined || control.disabled || control.type === 'file') continue;
          const texts = [answer].flat().map(String);
          if (control.type === 'radio' || control.type === 'checkbox')
            control.checked = texts.includes(control.value) || answer === true;
          else if (texts[0] !== undefined && control.type !== 'hidden') control.value = texts[0];
        }
        form.dispatchEvent(new Event('input', { bubbles: true }));
        return [...new FormData(form)].flatMap(([name, value]) =>
          typeof value === 'string' ? [[name, value] as const] : [],
        );
      },
      answers as Record<string, unknown>,
    );
    const posted = readPost(
      properties,
      { getAll: (name) => sent.flatMap(([key, value]) => (key === name ? [value] : [])) },
      { isComplete: true, readEntries },
    );
    const expected = serverRules(properties);
    const shown = expected.show(posted);
    const wanted = Object.fromEntries(
      properties
        .filter(({ hidden, logic }) => !hidden || logic?.actions?.includes('show-block'))
        .filter(({ type }) => type !== 'nf-page-break')
        .map(({ id }) => [id, shown.states.get(id)?.hidden]),
    );
    await expect
      .poll(() =>
        page.evaluate(() =>
          Object.fromEntries(
            [...document.querySelectorAll<HTMLElement>('[data-block]')].map(({ dataset, hidden }) => [
              dataset.block,
              hidden,
            ]),
          ),
        ),
      )
      .toEqual(wanted);
    const errors: ErrorBag = expected.check(shown.answers).errors ?? {};
    const messages = Object.values(errors).flat().sort();
    if (messages.length === 0) continue;
    await page.locator('.nav .primary').click();
    await expect
      .poll(async () => (await page.locator('#summary li').allTextContents()).sort())
      .toEqual(messages);
    await page.context().close();
  }
});

test('a rule about what others answered is asked when the form is sent, on one page and on several', async () => {
  const mail = { id: 'mail', type: 'text', name: 'Mail' };
  const condition = {
    identifier: 'mail',
    value: { operator: 'exists_in_submissions', property_meta: mail, value: true },
  };
  const known = {
    error_conditions: { conditions: { operatorIdentifier: 'and', children: [condition] } },
    error_message: 'Nobody knows you.',
  };
  for (const more of [[], [{ id: 'break', type: 'nf-page-break', name: 'Break' }]]) {
    const fields = [...more, { id: 'note', type: 'text', name: 'Note' }];
    const form = await home.form({ properties: [mail, ...fields] });
    expect((await home.submit(form, { mail: 'ada' })).status).toBe(200);
    const properties = [{ ...mail, validation: known }, ...fields];
    expect((await home.call('PUT', `/open/forms/${form.id}`, { properties })).status).toBe(200);
    const { open, send } = aVisitor(home.service);
    for (const name of ['bert', 'ada']) {
      const first = await send(await open(`/forms/${form.slug}`), { mail: name });
      const last = more.length > 0 ? await send(first) : first;
      expect(last.text.includes('Nobody knows you.')).toBe(name === 'bert');
    }
    const page = await browser.page();
    await page.goto(`${home.service.url}/forms/${form.slug}`);
    const go = async () => {
      if (more.length > 0) await page.getByRole('button', { name: 'Next' }).click();
      await page.getByRole('button', { name: 'Submit' }).click();
    };
    await page.getByLabel('Mail').fill('bert');
    await go();
    await page.locator('#summary').getByText('Nobody knows you.').waitFor();
    await page.getByLabel('Mail').fill('ada');
    await go();
    await page.locator('.thank-you').waitFor();
    await page.context().close();
    expect(await home.records(form)).toHaveLength(3);
  }
});
