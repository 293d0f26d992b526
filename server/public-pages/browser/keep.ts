import { ATTRIBUTION_KEYS } from '../../../fields/attribution-keys.ts';
import { beginningOf } from './beginning.ts';
import { type Kept, onKeptElsewhere, readKept, removeKept, writeKept } from './kept.ts';
import { refresh } from './live.ts';
import { actionOf, find, make, messagesOf, type Page, say, setAction } from './page.ts';
import { type FirstSave, keepPartials } from './partials.ts';
import {
  answeredFields,
  fieldsWithFiles,
  keptAnswers,
  loadedValues,
  newlyGiven,
  readValues,
  valuesGiven,
  withToday,
  writeValues,
} from './values.ts';
import { showStep } from './walk.ts';

/** Milliseconds after which a new region of the page is known to screen readers. */
const SEEN_MS = 100;

/** Keeps the answers on this device until they are sent, and on the server too where the form wants that. */
export function startKeeping(page: Page): void {
  const { autoSave, partial, uuid, drafted } = page.data;
  const found = readKept(uuid);
  const goneOnWith = actionOf(page).searchParams.get('submission_hash');
  // Kept answers of another submission than the one in the address are left for that one's page.
  const isOther = goneOnWith !== null && found !== null && found.hash !== goneOnWith;
  const kept = isOther ? null : found;
  const draft = page.form.dataset.drafted;
  const loaded = loadedValues(page);
  // Kept answers are newer than the server's draft only if they were typed into a page filled in with that draft.
  const isOlder = drafted && (draft === undefined || kept?.draft !== draft);
  const isRestored = kept !== null && !isOlder && restore(page, kept);
  const name = kept?.name ?? crypto.getRandomValues(new Uint32Array(4)).join('-');
  const isKept = autoSave === true && !isOther;
  // Whoever only opens a link that somebody sent must not go on with it later, without it.
  const isLink = goneOnWith !== null && kept === null && !page.ownsDraft;
  const first: FirstSave = { name, unheard: kept?.unheard ?? null, isKept };
  const keep = (isForAll = true) => {
    const { searchParams } = actionOf(page);
    const attribution = ATTRIBUTION_KEYS.flatMap((key): [string, string][] => {
      const value = searchParams.get(key);
      return value === null ? [] : [[key, value]];
    });
    const hash = searchParams.get('submission_hash');
    if (!isKept || page.isOver || (isLink && page.touched.size === 0)) return;
    const unheard = first.unheard && keptAnswers(page, first.unheard);
    const [values, files, at] = [readValues(page), fieldsWithFiles(page), searchParams.get('at')];
    const [given, { step }] = [valuesGiven(page), page];
    const inputs = { values, given, loaded, files };
    writeKept(uuid, { ...inputs, step, attribution, hash, name, unheard, at, draft }, isForAll);
  };
  find('[data-anew]')?.addEventListener('click', () => {
    page.isOver = true;
    if (!isOther) removeKept(uuid);
  });
  // Another tab has replaced what was kept here, or removed it: from now on this tab keeps its own besides.
  onKeptElsewhere(uuid, () => (page.touched.size > 0 || wasReloaded()) && keep(false));
  page.listeners.push((event) => {
    if (event === 'change' || event === 'step') keep();
    else if (event !== 'refused') {
      page.isOver = true;
      if (!isOther) removeKept(uuid);
    }
  });
  if (page.touched.size > 0 || !kept || (isOlder && page.ownsDraft)) keep();
  if (partial) keepPartials(page, first, isRestored || first.unheard !== null, keep);
}

/** What a page shows after a reload is its own, although nothing was typed since. */
function wasReloaded(): boolean {
  const [opening] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  return opening?.type === 'reload';
}

/**
 * Kept values do not replace what was typed before this part was loaded, nor what the address newly fills in. If the address
 * names a submission, its answers stay too where they differ from those once changed here: they were changed elsewhere since.
 * @returns whether anything was restored
 */
function restore(page: Page, kept: Kept): boolean {
  const { values, given = [], loaded = [], step, attribution, hash, at, draft, files = [] } = kept;
  const action = actionOf(page);
  const { searchParams } = action;
  // The attribution of the first visit counts.
  const isKnown = ATTRIBUTION_KEYS.some((key) => searchParams.has(key));
  if (!isKnown) for (const [key, value] of attribution) searchParams.set(key, value);
  const isNamed = searchParams.has('submission_hash');
  if (hash !== null && !isNamed) searchParams.set('submission_hash', hash);
  // The time to complete counts from the first opening.
  if (at) searchParams.set('at', at);
  setAction(page, action);
  const spared = isNamed && draft === undefined ? answeredFields(page, loaded) : page.touched;
  const written = withToday(page, values, loaded);
  const { hasChanged, lost } = writeValues(page, written, spared, newlyGiven(given));
  const held = fieldsWithFiles(page);
  const left = files.filter((id) => !page.touched.has(id) && !held.includes(id));
  refresh(page);
  if (!hasChanged && left.length === 0 && lost.length === 0) return false;
  showStep(page, step);
  history.replaceState({ step: page.step }, '');
  tellRestored(page, left, lost);
  return true;
}

/**
 * @param files ids of fields whose files have to be chosen again
 * @param lost ids of fields that no longer offer what was chosen
 */
function tellRestored(page: Page, files: readonly string[], lost: readonly string[]): void {
  const again = make('button', { type: 'button', class: 'quiet' }, say(page, 'startOver'));
  const line = make('p', { class: 'notice restored', role: 'status' });
  // Screen readers say only what comes into a region that is there.
  setTimeout(() => line.prepend(`${say(page, 'restored')} `, again), SEEN_MS);
  again.addEventListener('click', () => {
    const files = [...line.querySelectorAll('div')];
    const cancel = make('button', { type: 'button', class: 'quiet' }, say(page, 'cancel'));
    const really = make('button', { type: 'button', class: 'quiet' }, say(page, 'startOver'));
    line.replaceChildren(`${say(page, 'startOverConfirm')} `, really, ' ', cancel, ...files);
    cancel.focus();
    cancel.addEventListener('click', () => {
      line.replaceChildren(`${say(page, 'restored')} `, again, ...files);
      again.focus();
    });
    really.addEventListener('click', () => {
      // Otherwise a running save, or events while leaving, would keep it again.
      page.isOver = true;
      removeKept(page.data.uuid);
      location.assign(beginningOf(page));
    });
  });
  for (const { id, name, multiple } of page.data.properties) {
    if (lost.includes(id)) line.append(make('div', {}, messagesOf(page.data).selectedInvalid(name)));
    if (!files.includes(id)) continue;
    const isSignature = page.blocks.get(id)?.dataset.type === 'signature';
    const what = isSignature ? 'signatureArea' : multiple ? 'chooseFiles' : 'chooseFile';
    line.append(make('div', {}, `${name}: ${say(page, what)}`));
  }
  find('#summary')?.after(line);
  // The notice goes with the next step, but what to choose again stays listed to the end.
  page.listeners.push((event) => {
    if (event !== 'step') return;
    line.replaceChildren(...line.querySelectorAll('div'));
    line.hidden = line.childElementCount === 0;
  });
}
