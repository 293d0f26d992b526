import { ATTRIBUTION_KEYS } from '../../../fields/attribution-keys.ts';
import type { Answers, ErrorBag } from '../../../fields/property.ts';
import { actionOf, answersOf, find, make, type Page, say, setAction } from './page.ts';
import { keptAnswers } from './values.ts';

/** Milliseconds after the last change when answers are saved. */
const PAUSE_MS = 5_000;
/** Milliseconds that sending the form waits for a save. */
const SAVE_MS = 10_000;
/** Bytes; browsers limit requests that may outlive their page to 64 KiB at a time (Fetch, HTTP-network-or-cache fetch). */
const MAX_KEEPALIVE = 60_000;

/** The save whose response brings the hash of the submission. It is repeated unchanged until it succeeds, even after a reload. */
export interface FirstSave {
  /** Identifies the submission until the hash is known. */
  name: string;
  /** What was sent without a response: it may be stored already. */
  unheard: Answers | null;
  /** The device stores it, so it must hold only answers that may be kept there. */
  isKept: boolean;
}

/**
 * Saves the answers on the service while the form is filled in, as one partial submission.
 * @param isRestored whether the page has answers that were typed before it was loaded
 * @param keep stores the hash of the submission on the device
 */
export function keepPartials(page: Page, first: FirstSave, isRestored: boolean, keep: () => void): void {
  /** Whoever only opens a link has begun nothing, though it may fill in answers. */
  let hasBegun = isRestored || page.data.drafted === true;
  let saving: Promise<Answers | null> | null = null;
  let isStale = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** Answers as JSON: those known to be stored, and those on their way. */
  let [saved, sent] = ['', ''];
  let underWay = new AbortController();
  /** Answers that only the service refused, as JSON by field: the form may have changed. Each waits until it is changed. */
  const refused = new Map<string, string>();

  const save = async (): Promise<void> => {
    clearTimeout(timer);
    isStale = saving !== null;
    if (saving || !maySave(page) || !(hasBegun || page.touched.size > 0 || hashOf(page))) return;
    const answers = goodAnswers(page, refused);
    const body = JSON.stringify(answers);
    if (body === saved || Object.keys(answers).length === 0) return;
    sent = body;
    // An unanswered first save is repeated first; otherwise these answers would make a second submission.
    const { unheard } = first;
    saving = (unheard ? store(unheard).then(() => store(answers)) : store(answers)).catch(() => null);
    const stored = await saving;
    saving = null;
    if (stored) {
      saved = JSON.stringify(stored);
      offerLink(page);
    }
    // The first save left out the answers that the device must not keep.
    if (isStale || (stored && saved !== body && hashOf(page))) await save();
  };

  /** @returns the answers that were stored, or null */
  const store = async (all: Answers): Promise<Answers | null> => {
    const isFirst = !hashOf(page);
    const proven = await prove(page, (isFirst && first.isKept && keptAnswers(page, all)) || all);
    if (isFirst) {
      first.unheard = proven;
      nameFirst(page, keyOf(first.name, bodyOf(proven, actionOf(page).searchParams)));
      keep();
    }
    underWay = new AbortController();
    const errors = await post(page, proven, first.name, underWay);
    first.unheard = null;
    keep();
    const { captcha: _spent, ...answers } = proven;
    if (!errors) return answers;
    for (const id of Object.keys(errors)) {
      const answer = JSON.stringify(answers[id]);
      if (answer === undefined || refused.get(id) === answer) continue;
      refused.set(id, answer);
      // The others are saved next.
      isStale = true;
    }
    return null;
  };

  /** Newer answers replace a running save, because on a page that is left no other save could follow it. */
  const saveOnLeaving = () => {
    const answers = goodAnswers(page, refused);
    const body = JSON.stringify(answers);
    const isLast = hashOf(page) && body !== sent && mayOutlive(body);
    if (!saving || !isLast || !maySave(page)) return void save();
    underWay.abort();
    isStale = false;
    saved = body;
    void prove(page, answers)
      .then((proven) => post(page, proven, first.name, new AbortController()))
      .catch(() => ({}))
      .then((errors) => {
        if (errors) saved = '';
      });
  };

  // The form must not be sent before the first save has brought the hash, or it would be a second submission.
  page.waits.push(async () => {
    await saving;
    if (first.unheard) await store(first.unheard).catch(() => {});
  });
  page.listeners.push((event) => {
    hasBegun = true;
    if (event === 'step') {
      if (hashOf(page)) offerLink(page);
      void save();
    }
    if (event !== 'change') return;
    clearTimeout(timer);
    timer = setTimeout(save, PAUSE_MS);
  });
  addEventListener('pagehide', saveOnLeaving);
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') void save();
  });
  if (hashOf(page)) offerLink(page);
  // A save sent while leaving got no response: repeated at once and unchanged, it brings the hash of the same submission.
  else if (isRestored) return void save();
  timer = setTimeout(save, PAUSE_MS);
}

/**
 * An accepted form is no partial submission, even if the page after it could not be loaded. A captcha that visitors solve
 * themselves is for the final sending only.
 */
function maySave({ isOver, isSending, isPlain, form, data, engines, prove }: Page): boolean {
  if (find('.captcha', form) && !prove) return false;
  // Without the part that reads repeated questions, their answers would be dropped.
  const isRead = engines.readEntries !== undefined || !data.properties.some(({ type }) => type === 'repeat');
  return isRead && !isOver && !isSending && !isPlain && !form.dataset.submission;
}

/** Adds a proof where the form asks for a captcha. A repeated save keeps its own, since it has to be unchanged. */
async function prove(page: Page, answers: Answers): Promise<Answers> {
  if (!page.prove || 'captcha' in answers) return answers;
  return { captcha: await page.prove(), ...answers };
}

/** Only valid answers, and none of fields that logic hides: a half-typed address waits. */
function goodAnswers(page: Page, refused: ReadonlyMap<string, string>): Answers {
  // While rules are missing, it is not known what is hidden.
  const answers = { ...(page.engines.isComplete ? page.shown.answers : answersOf(page)) };
  for (const [id, answer] of refused) if (JSON.stringify(answers[id]) === answer) delete answers[id];
  for (const id in page.rules.check(answers, { partial: true }).errors ?? {}) delete answers[id];
  // An unticked box that was never touched is no answer.
  for (const id in answers) if (answers[id] === false && !page.touched.has(id)) delete answers[id];
  return answers;
}

function hashOf(page: Page): string | null {
  return actionOf(page).searchParams.get('submission_hash');
}

function mayOutlive(body: string): boolean {
  return new Blob([body]).size < MAX_KEEPALIVE;
}

/**
 * @returns what was refused, or null if the answers were stored
 * @throws if no response says so
 */
async function post(
  page: Page,
  answers: Answers,
  name: string,
  underWay: AbortController,
): Promise<ErrorBag | null> {
  const { pathname, searchParams } = actionOf(page);
  const hash = searchParams.get('submission_hash');
  const key = searchParams.get('key');
  const personal = searchParams.get('personal');
  const body = bodyOf(answers, searchParams);
  setTimeout(() => underWay.abort(), SAVE_MS);
  const answer = await fetch(`${pathname}/answer${personal ? `?personal=${personal}` : ''}`, {
    method: 'POST',
    keepalive: mayOutlive(body),
    signal: underWay.signal,
    headers: {
      accept: 'application/json',
      'content-type': 'application/json',
      ...(key !== null && { 'form-password': key }),
      ...(hash === null && { 'idempotency-key': keyOf(name, body) }),
    },
    body,
  });
  // Any other refusal of a repeated save says nothing about the first, which may be stored.
  if (!answer.ok && answer.status !== 422) throw new Error();
  const content = await answer.json();
  // Read again, because a step may have changed it meanwhile.
  const latest = actionOf(page);
  // If the submission was completed elsewhere meanwhile its hash stays, and sending the form tells so.
  if (content.submission_hash) latest.searchParams.set('submission_hash', content.submission_hash);
  setAction(page, latest);
  return answer.ok ? null : (content.errors ?? {});
}

/** The first save says where the visitor came from: later ones change nothing about that. */
function bodyOf(answers: Answers, visit: URLSearchParams): string {
  const hash = visit.get('submission_hash');
  const known = [...visit].filter(([key]) => (ATTRIBUTION_KEYS as readonly string[]).includes(key));
  return JSON.stringify({
    ...answers,
    is_partial: true,
    ...(hash !== null && { submission_hash: hash }),
    ...(hash === null && known.length > 0 && { tracking_parameters: Object.fromEntries(known) }),
  });
}

/** The `Idempotency-Key` of a first save. */
function keyOf(name: string, body: string): string {
  return `${name}-${sumOf(body)}`;
}

/** The form that is sent names the first save: if no response to that ever comes, the service completes what it stored. */
function nameFirst(page: Page, key: string): void {
  const action = actionOf(page);
  action.searchParams.set('first_save', key);
  setAction(page, action);
}

/** Tells one body from another (FNV-1a); the service compares them whole. Pages without HTTPS have no better hash. */
function sumOf(text: string): number {
  let sum = 0;
  for (let at = 0; at < text.length; at++) sum = Math.imul(sum ^ text.charCodeAt(at), 0x01000193);
  return sum >>> 0;
}

/** Shows the address under which the form can be continued on any device. */
function offerLink(page: Page): void {
  const { pathname, searchParams } = actionOf(page);
  const address = new URL(pathname, location.href);
  for (const name of ['submission_hash', 'personal', 'lang', 'step']) {
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

/** Selects the text, so that it can be copied by hand if the browser refuses, as in a frame on another site. */
async function copied(field: HTMLInputElement): Promise<boolean> {
  field.select();
  try {
    await navigator.clipboard.writeText(field.value);
    return true;
  } catch {
    return document.execCommand('copy');
  }
}
