import fc from 'fast-check';
import { DomUtils } from 'htmlparser2';
import { expect, test } from 'vitest';
import { typedNumber } from '../../fields/as-text/typed-number.ts';
import { checkProperties } from '../../fields/check-properties.ts';
import { compileAnswers } from '../../fields/compile-answers.ts';
import { withoutUnmendable } from '../../fields/former-answers/unmendable.ts';
import { hiddenInputs } from '../../fields/html/hidden-inputs.ts';
import { readEntries } from '../../fields/html/read-entries.ts';
import { readPost } from '../../fields/html/read-post.ts';
import { messagesFor } from '../../fields/languages/languages.ts';
import type { Answers, Property } from '../../fields/property.ts';
import { serverEngines } from '../../fields/server-engines.ts';
import { elements, formData } from '../fields/html/page.ts';
import { useHome } from '../setup/home.ts';
import { randomForms } from './random-forms.ts';

const home = useHome({ env: { ROLES: 'http' } });

const SEED = 20261122;
/** In this language, API and page use the same words for problems. */
const LANGUAGE = 'de';
/** Only few random forms are valid enough to be saved. */
const DRAWN = 4_000;
const FORMS = 40;
const MAX_STEPS = 3;

/** What a browser posts for a page with these answers. */
function sentBy(properties: Property[], answers: Answers) {
  return formData(
    properties.map((field) => hiddenInputs(field, answers[field.id], LANGUAGE).markup).join(''),
  );
}

/** The problems that a visitor without a script is shown, or null when the answers were accepted. */
async function post(form: { slug: string }, entries: [string, string][]): Promise<string[] | null> {
  const address = `${home.service.url}/forms/${form.slug}`;
  const headers = { accept: 'text/html' };
  let page = await (await fetch(address, { headers })).text();
  // Answers may split the form into several pages.
  for (let steps = 0; steps < MAX_STEPS; steps++) {
    const [shown] = elements(page, 'form');
    const body = new URLSearchParams(entries);
    const action = `${home.service.url}${shown?.attribs.action}`;
    const answer = await fetch(action, { method: 'POST', headers, body, redirect: 'manual' });
    expect(answer.status).toBe(303);
    const next = answer.headers.get('location') ?? '';
    if (next.includes('/thank-you')) return null;
    page = await (await fetch(home.service.url + next, { headers })).text();
    const summary = elements(page, 'div').filter(({ attribs }) => attribs.id === 'summary');
    const problems = DomUtils.getElementsByTagName('li', summary);
    if (problems.length > 0) return problems.map((item) => DomUtils.textContent(item).trim());
  }
  throw new Error(`The form has more than ${MAX_STEPS} pages.`);
}

test('API and page without a script judge the same answers alike, and store the same', async () => {
  const samples = fc
    .sample(randomForms, { seed: SEED, numRuns: DRAWN })
    .filter(({ properties }) => Object.keys(checkProperties(properties, serverEngines)).length === 0)
    .slice(0, FORMS);
  expect(samples).toHaveLength(FORMS);
  let taken = 0;
  for (const { properties, answers } of samples) {
    const form = { properties, language: LANGUAGE };
    const [byApi, byPage] = [await home.form(form), await home.form(form)];
    const posted = sentBy(properties, answers);
    const rules = compileAnswers({ properties, messages: messagesFor(LANGUAGE) }, serverEngines);
    const read = {
      isComplete: true,
      readEntries,
      typedNumber: (typed: string) => typedNumber(typed, LANGUAGE),
    };
    // A page leaves out answers that nobody could mend there; the API refuses them.
    const sent = withoutUnmendable(rules.fields, readPost(properties, posted, read));
    const given = rules.show(sent).answers;
    const answer = await home.submit(byApi, given);
    const problems = await post(byPage, posted.entries);
    const hint = JSON.stringify({ properties, answers });
    if (answer.status === 200) {
      taken += 1;
      expect(problems, hint).toBeNull();
      expect(await answersOf(byPage), hint).toEqual(await answersOf(byApi));
    } else {
      expect(problems?.sort(), hint).toEqual(Object.values<string[]>(answer.body.errors).flat().sort());
    }
  }
  expect(taken).toBeGreaterThan(FORMS / 5);
  expect(taken).toBeLessThan(FORMS);
});

async function answersOf(form: { id: number; properties: Property[] }) {
  const [{ data }] = await home.records(form);
  return form.properties.map(({ id }) => (Object.hasOwn(data, id) ? data[id] : undefined));
}
