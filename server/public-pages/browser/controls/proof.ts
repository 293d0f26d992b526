import { solveChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/web/pbkdf2';
import { actionOf, find, make, type Page, say } from '../page.ts';

/** The service accepts a proof for ten minutes; kept a little shorter, because clocks differ and sending takes time. */
const FRESH_MS = 8 * 60_000;

/** Replaces the captcha's question by a computation that the browser does while the form is filled in. */
export function enhanceProof(place: HTMLElement, page: Page): void {
  // Browsers have it only on pages that came over HTTPS.
  if (!crypto.subtle) return;
  let question: Element[] = [];
  const status = make('p', { class: 'hint', role: 'status' });
  let proof: Promise<string> | null = null;
  let startedAt = 0;

  const begin = () => {
    startedAt = Date.now();
    const begun = solve(page);
    proof = begun;
    begun.catch(() => {
      if (proof === begun) proof = null;
    });
    return begun;
  };
  const work = () => {
    // The question may have been renewed since.
    if (find('#captcha', place)) question = [...place.children];
    status.textContent = say(page, 'captchaWorking');
    place.replaceChildren(status);
    const begun = begin();
    begun.then(
      () => {
        status.textContent = say(page, 'captchaDone');
      },
      () => {
        // The computation failed; the question can still be answered.
        place.replaceChildren(...question);
      },
    );
    return begun;
  };
  /** A proof is valid once, so the next caller needs another. */
  const take = (otherwise: () => Promise<string>): Promise<string | null> => {
    const isFresh = Date.now() - startedAt < FRESH_MS;
    const taken = (isFresh && proof) || otherwise();
    proof = null;
    return taken.catch(() => null);
  };
  page.form.addEventListener('input', () => proof ?? work(), { once: true });
  page.waits.push(async () => {
    const value = await take(work);
    if (value) place.replaceChildren(status, make('input', { type: 'hidden', name: 'captcha', value }));
  });
  page.prove = () => {
    const taken = take(begin);
    // Begins the next proof now: a page that is being left would have no time for it.
    void begin();
    return taken;
  };
}

async function solve(page: Page): Promise<string> {
  const answer = await fetch(`${actionOf(page).pathname}/captcha`, {
    headers: { accept: 'application/json' },
  });
  const { challenge } = await answer.json();
  const solution = await solveChallenge({ challenge, deriveKey });
  if (!solution) throw new Error('The captcha could not be solved.');
  return btoa(JSON.stringify({ challenge, solution }));
}
