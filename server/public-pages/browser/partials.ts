import type { Answers } from '../../../fields/property.ts';
import { actionOf, answersOf, find, make, type Page, say, setAction } from './page.ts';
import { keptAnswers } from './values.ts';

/** Answers are saved so long after the last change. */
const PAUSE_MS = 5_000;
/** Sending the form waits no longer than this for a save. */
const SAVE_MS = 10_000;
/** Bytes: of what may outlive its page browsers send 64 KiB at a time and no more (Fetch, HTTP-network-or-cache fetch). */
const MAX_KEEPALIVE = 60_000;

/** The save that brings the hash of the submission. Sent again it has to be the same, also after the page was loaded anew. */
export interface FirstSave {
  /** Stands for the submission until then. */
  name: string;
  /** What was sent and not answered: it may be a submission already. */
  unheard: Answers | null;
  /** The device remembers it: then nothing is in it that is not kept. */
  isKept: boolean;
}

/** Saves the answers here as one goes, as one submission that grows. `keep` remembers its hash on the device. */
export function keepPartials(page: Page, first: FirstSave, isRestored: boolean, keep: () => void): void {
  let saving: Promise<Answers | null> | null = null;
  let isStale = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** Answers as JSON: the last that are known to be stored, and those that are on their way. */
  let [saved, sent] = ['', ''];
  let underWay = new AbortController();

  const save = async (): Promise<void> => {
    clearTimeout(timer);
    isStale = saving !== null;
    if (saving || !maySave(page)) return;
    const answers = goodAnswers(page);
    const body = JSON.stringify(answers);
    if (body === saved || Object.keys(answers).length === 0) return;
    sent = body;
    // Otherwise what somebody went on with would be a second one.
    const { unheard } = first;
    saving = (unheard ? store(unheard).then(() => store(answers)) : store(answers)).catch(() => null);
    const stored = await saving;
    saving = null;
    if (stored) {
      saved = JSON.stringify(stored);
      offerLink(page);
    }
    // What the device does not keep was left out of the first.
    if (isStale || (stored && saved !== body && hashOf(page))) await save();
  };

  /** @returns what was stored of it, or null */
  const store = async (all: Answers): Promise<Answers | null> => {
    const isFirst = !hashOf(page);
    const proven = await prove(page, (isFirst && first.isKept && keptAnswers(page, all)) || all);
    if (isFirst) {
      first.unheard = proven;
      keep();
    }
    underWay = new AbortController();
    const isStored = await post(page, proven, first.name, underWay);
    first.unheard = null;
    keep();
    const { captcha: _spent, ...answers } = proven;
    return isStored ? answers : null;
  };

  /** What was typed since takes the place of what is under way, which nothing could follow. */
  const saveOnLeaving = () => {
    const answers = goodAnswers(page);
    const body = JSON.stringify(answers);
    const isLast = hashOf(page) && body !== sent && mayOutlive(body);
    if (!saving || !isLast || !maySave(page)) return void save();
    underWay.abort();
    isStale = false;
    saved = body;
    prove(page, answers)
      .then((proven) => post(page, proven, first.name, new AbortController()))
      .catch(() => {
        saved = '';
      });
  };

  // The first save brings the hash without which the form would be a submission of its own.
  page.waits.push(async () => {
    await saving;
    if (first.unheard) await store(first.unheard).catch(() => {});
  });
  page.listeners.push((event) => {
    if (event === 'step') void save();
    if (event !== 'change') return;
    clearTimeout(timer);
    timer = setTimeout(save, PAUSE_MS);
  });
  addEventListener('pagehide', saveOnLeaving);
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') void save();
  });
  if (hashOf(page)) offerLink(page);
  // What a page saved while it was left was answered to nobody: asked at once, before anything is changed, it is the same.
  else if (isRestored) return void save();
  timer = setTimeout(save, PAUSE_MS);
}

/**
 * What was taken once is no partial submission, also where its receipt led nowhere. A captcha that somebody has to solve is for
 * the form as a whole.
 */
function maySave({ isOver, isSending, isPlain, form, data, engines, prove }: Page): boolean {
  if (find('.captcha', form) && !prove) return false;
  // Without the part that reads them their answers would be taken out.
  const isRead = engines.readEntries !== undefined || !data.properties.some(({ type }) => type === 'repeat');
  return isRead && !isOver && !isSending && !isPlain && !form.dataset.submission;
}

/** With a proof where the form asks for a captcha; what is sent again has its own, since it has to be the same. */
async function prove(page: Page, answers: Answers): Promise<Answers> {
  if (!page.prove || 'captcha' in answers) return answers;
  return { captcha: await page.prove(), ...answers };
}

/** Only what can be stored: a half-typed address waits. */
function goodAnswers(page: Page): Answers {
  const answers = { ...answersOf(page) };
  for (const id in page.rules.check(answers, { partial: true }).errors ?? {}) delete answers[id];
  // A box nobody touched says nothing yet.
  for (const id in answers) if (answers[id] === false && !page.touched.has(id)) delete answers[id];
  return answers;
}

function hashOf(page: Page): string | null {
  return actionOf(page).searchParams.get('submission_hash');
}

function mayOutlive(body: string): boolean {
  return new Blob([body]).size < MAX_KEEPALIVE;
}

/** @returns whether it was stored @throws where no answer says so */
async function post(page: Page, answers: Answers, name: string, underWay: AbortController): Promise<boolean> {
  const { searchParams } = actionOf(page);
  const hash = searchParams.get('submission_hash');
  const key = searchParams.get('key');
  const personal = searchParams.get('personal');
  const body = JSON.stringify({
    ...answers,
    is_partial: true,
    ...(hash !== null && { submission_hash: hash }),
  });
  setTimeout(() => underWay.abort(), SAVE_MS);
  const answer = await fetch(`/forms/${page.data.slug}/answer${personal ? `?personal=${personal}` : ''}`, {
    method: 'POST',
    keepalive: mayOutlive(body),
    signal: underWay.signal,
    headers: {
      accept: 'application/json',
      'content-type': 'application/json',
      ...(key !== null && { 'form-password': key }),
      ...(hash === null && { 'idempotency-key': `${name}-${sumOf(body)}` }),
    },
    body,
  });
  // Of a second try any other refusal says nothing of the first, which may be stored.
  if (!answer.ok && answer.status !== 422) throw new Error();
  const content = await answer.json();
  // Read it anew: steps change it meanwhile.
  const latest = actionOf(page);
  // One that was sent from elsewhere meanwhile stays named: whoever sends the form is told.
  if (content.submission_hash) latest.searchParams.set('submission_hash', content.submission_hash);
  setAction(page, latest);
  return answer.ok;
}

/** Tells one body from the next (FNV-1a); the service compares the whole. Pages without HTTPS have no better one. */
function sumOf(text: string): number {
  let sum = 0;
  for (let at = 0; at < text.length; at++) sum = Math.imul(sum ^ text.charCodeAt(at), 0x01000193);
  return sum >>> 0;
}

/** The address under which one goes on, on any device. */
function offerLink(page: Page): void {
  const { searchParams } = actionOf(page);
  const address = new URL(`/forms/${page.data.slug}`, location.href);
  for (const name of ['submission_hash', 'personal']) {
    const value = searchParams.get(name);
    if (value) address.searchParams.set(name, value);
  }
  if (!page.data.autoSave) history.replaceState(history.state, '', address);
  let place = find('.continue', page.form);
  if (!place) {
    const help = say(page, 'continueLaterHelp');
    const field = make('input', { type: 'text', readonly: '', 'aria-label': help });
    const copy = make('button', { type: 'button', class: 'quiet' }, say(page, 'copyLink'));
    const state = make('span', { role: 'status' });
    copy.addEventListener('click', async () => {
      state.textContent = (await copied(field)) ? say(page, 'copied') : '';
    });
    place = make(
      'details',
      { class: 'continue' },
      make('summary', {}, say(page, 'continueLater')),
      make('p', { class: 'hint' }, help),
      field,
      copy,
      state,
    );
    place.style.marginBlockStart = '1em';
    find('.nav', page.form)?.after(place);
  }
  const field = find<HTMLInputElement>('input', place);
  if (field) field.value = address.href;
}

/** Selects the text, so that it can be copied by hand where the browser refuses, as in the frame of another site. */
async function copied(field: HTMLInputElement): Promise<boolean> {
  field.select();
  try {
    await navigator.clipboard.writeText(field.value);
    return true;
  } catch {
    return document.execCommand('copy');
  }
}
