import { find, type Page } from './page.ts';

/** Tells the page around this one how it goes, never what is answered. */
export function tellParent(page: Page): void {
  const { slug, editable } = page.data;
  const post = (event: string, more: Record<string, string | number> = {}) =>
    parent.postMessage({ type: 'formstead', event, form: slug, ...more }, '*');
  page.listeners.push((event) => {
    if (event === 'step') post('step', { step: page.step, steps: page.steps.length });
    // Where answers can be changed, the id is the way to them, and any site may be around.
    if (event === 'sent')
      post('submit', { submission_id: (!editable && page.form.dataset.submission) || '' });
  });
  addEventListener('keydown', ({ key, defaultPrevented }) => {
    if (key === 'Escape' && !defaultPrevented) post('close');
  });
  post('ready');
  // The body, since the document is never lower than its frame.
  let last = 0;
  const tellHeight = () => {
    const height = Math.ceil(document.body.getBoundingClientRect().height);
    if (height !== last) post('height', { height });
    last = height;
  };
  new ResizeObserver(tellHeight).observe(document.body);
  find('main')?.addEventListener('load', tellHeight, true);
}
