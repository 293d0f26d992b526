import { ATTRIBUTION_KEYS } from '../../../fields/attribution-keys.ts';
import { beginningOf } from './beginning.ts';
import { type Kept, readKept, removeKept, writeKept } from './kept.ts';
import { refresh } from './live.ts';
import { actionOf, find, make, type Page, say, setAction } from './page.ts';
import { type FirstSave, keepPartials } from './partials.ts';
import {
  answeredFields,
  fieldsWithFiles,
  keptAnswers,
  newlyGiven,
  readValues,
  valuesGiven,
  writeValues,
} from './values.ts';
import { showStep } from './walk.ts';

/** Keeps the answers on this device until they are sent, and where the form wants that here too. */
export function startKeeping(page: Page): void {
  const { autoSave, partial, uuid, drafted } = page.data;
  const found = readKept(uuid);
  const goneOnWith = actionOf(page).searchParams.get('submission_hash');
  // Of another submission than the address names: it waits for a page of its own.
  const isOther = goneOnWith !== null && found !== null && found.hash !== goneOnWith;
  const kept = isOther ? null : found;
  const draft = page.form.dataset.drafted;
  const loaded = readValues(page);
  // What was typed into a page that was filled in with the same draft is newer than the draft; all else is older.
  const isOlder = drafted && (draft === undefined || kept?.draft !== draft);
  if (kept && !isOlder) restore(page, kept);
  const name = kept?.name ?? crypto.getRandomValues(new Uint32Array(4)).join('-');
  const isKept = autoSave === true && !isOther;
  const first: FirstSave = { name, unheard: kept?.unheard ?? null, isKept };
  const keep = () => {
    const { searchParams } = actionOf(page);
    const attribution = ATTRIBUTION_KEYS.flatMap((key): [string, string][] => {
      const value = searchParams.get(key);
      return value === null ? [] : [[key, value]];
    });
    const hash = searchParams.get('submission_hash');
    if (!isKept || page.isOver) return;
    const unheard = first.unheard && keptAnswers(page, first.unheard);
    const [values, files, at] = [readValues(page), fieldsWithFiles(page), searchParams.get('at')];
    const [given, { step }] = [valuesGiven(page), page];
    const inputs = { values, given, loaded, files };
    writeKept(uuid, { ...inputs, step, attribution, hash, name, unheard, at, draft });
  };
  page.listeners.push((event) => {
    if (event === 'change' || event === 'step') keep();
    else if (event !== 'refused') {
      page.isOver = true;
      if (!isOther) removeKept(uuid);
    }
  });
  if (page.touched.size > 0 || !kept) keep();
  if (partial) keepPartials(page, first, kept !== null, keep);
}

/**
 * What was typed before this was loaded counts more than what is kept, so does what the address fills in and did not then, and so do
 * the answers of a submission that it names, where they are others than those that were changed here: somebody has gone on with it
 * elsewhere.
 */
function restore(page: Page, kept: Kept): void {
  const { values, given = [], loaded = [], step, attribution, hash, at, draft, files = [] } = kept;
  const action = actionOf(page);
  const { searchParams } = action;
  // What brought a visitor here first counts.
  const isKnown = ATTRIBUTION_KEYS.some((key) => searchParams.has(key));
  if (!isKnown) for (const [key, value] of attribution) searchParams.set(key, value);
  const isNamed = searchParams.has('submission_hash');
  if (hash !== null && !isNamed) searchParams.set('submission_hash', hash);
  // The time it takes counts from the beginning.
  if (at) searchParams.set('at', at);
  setAction(page, action);
  const spared = isNamed && draft === undefined ? answeredFields(page, loaded) : page.touched;
  const isChanged = writeValues(page, values, spared, newlyGiven(given));
  const held = fieldsWithFiles(page);
  const left = files.filter((id) => !page.touched.has(id) && !held.includes(id));
  if (!isChanged && left.length === 0) return;
  refresh(page);
  showStep(page, step);
  history.replaceState({ step: page.step }, '');
  tellRestored(page, left);
}

function tellRestored(page: Page, files: readonly string[]): void {
  const again = make('button', { type: 'button', class: 'quiet' }, say(page, 'startOver'));
  const line = make('p', { class: 'notice restored', role: 'status' }, `${say(page, 'restored')} `, again);
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
      // A save under way, or what happens on the way out, would keep it again.
      page.isOver = true;
      removeKept(page.data.uuid);
      location.assign(beginningOf(page));
    });
  });
  for (const { id, name, multiple } of page.data.properties) {
    if (!files.includes(id)) continue;
    const isSignature = page.blocks.get(id)?.dataset.type === 'signature';
    const what = isSignature ? 'signatureArea' : multiple ? 'chooseFiles' : 'chooseFile';
    line.append(make('div', {}, `${name}: ${say(page, what)}`));
  }
  find('#summary')?.after(line);
  // Which files are to be chosen again is told until the end.
  page.listeners.push((event) => {
    if (event !== 'step') return;
    line.replaceChildren(...line.querySelectorAll('div'));
    line.hidden = line.childElementCount === 0;
  });
}
