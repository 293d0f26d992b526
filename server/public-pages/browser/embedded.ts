import { find, type Page } from './page.ts';
import { pause } from './pause.ts';

/** Milliseconds to wait until the page around the frame has told everybody there that the form was sent. */
const HEARING_MS = 1_000;
/** Milliseconds after which the frame shows what the page around it, for whatever reason, was not led to. */
const PATIENCE_MS = 8_000;

/** Pixels for the shadow of a list. */
const BELOW_LIST = 8;

/** Tells the page around the frame about progress, never about answers. */
export function tellParent(page: Page): void {
  // For the styles of what comes after the form.
  document.documentElement.classList.add('framed');
  const { slug, editable } = page.data;
  const post = (event: string, more: Record<string, string | number> = {}) =>
    parent.postMessage({ type: 'formstead', event, form: slug, ...more }, '*');
  let isHeard = () => {};
  const heard = new Promise<void>((resolve) => {
    isHeard = resolve;
  });
  page.listeners.push((event) => {
    if (event === 'step') post('step', { step: page.step, steps: page.steps.length });
    // If answers can be edited, the id gives access to them, and any site may be around the frame.
    if (event === 'sent')
      post('submit', { submission_id: (!editable && page.form.dataset.submission) || '' });
  });
  addEventListener('keydown', ({ key, defaultPrevented }) => {
    if (key === 'Escape' && !defaultPrevented) post('close');
  });
  addEventListener('message', ({ source, data }) => {
    // Inside a further frame, the page around this one is not the whole window, and only the whole window can be led on.
    if (source !== parent || parent !== top || data?.type !== 'formstead' || data.event !== 'lead') return;
    page.leadOn = (target) => void Promise.race([heard, pause(HEARING_MS)]).then(() => leadOn(target));
    if (page.form.dataset.submission !== undefined) isHeard();
  });
  post('ready');
  // The height of the body, because the document is never lower than its frame.
  let last = 0;
  const tellHeight = () => {
    const { top, height: own } = document.body.getBoundingClientRect();
    // An open list of options lies over what is below it, and does not make the body higher.
    const lists = [...document.querySelectorAll('[role=listbox]:not([hidden])')];
    const ends = lists.map((list) => list.getBoundingClientRect().bottom - top + BELOW_LIST);
    const height = own && Math.ceil(Math.max(own, ...ends));
    // A frame that the page around hides has none: it keeps its height until it is shown again.
    if (height === 0 || height === last) return;
    post('height', { height });
    last = height;
  };
  new ResizeObserver(tellHeight).observe(document.body);
  new MutationObserver(tellHeight).observe(document.body, { subtree: true, attributeFilter: ['hidden'] });
  find('main')?.addEventListener('load', tellHeight, true);
}

/**
 * Leads the whole window on. The frame does so itself, as it may once somebody has used it: the address may contain answers, which are
 * none of the page around it.
 */
function leadOn(target: URL): void {
  const instead = setTimeout(() => location.assign(target), PATIENCE_MS);
  // Browsers keep the page that is led on, with its timers: whoever comes back finds the form there, not the target.
  addEventListener('pagehide', () => clearTimeout(instead));
  try {
    if (top) top.location.href = target.href;
  } catch {
    location.assign(target);
  }
}
