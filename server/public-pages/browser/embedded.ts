import { find, type Page } from './page.ts';

/** Tells the page around the frame about progress, never about answers. */
export function tellParent(page: Page): void {
  const { slug, editable } = page.data;
  const post = (event: string, more: Record<string, string | number> = {}) =>
    parent.postMessage({ type: 'formstead', event, form: slug, ...more }, '*');
  page.listeners.push((event) => {
    if (event === 'step') post('step', { step: page.step, steps: page.steps.length });
    // If answers can be edited, the id gives access to them, and any site may be around the frame.
    if (event === 'sent')
      post('submit', { submission_id: (!editable && page.form.dataset.submission) || '' });
  });
  addEventListener('keydown', ({ key, defaultPrevented }) => {
    if (key === 'Escape' && !defaultPrevented) post('close');
  });
  post('ready');
  // The height of the body, because the document is never lower than its frame.
  let last = 0;
  const tellHeight = () => {
    const height = Math.ceil(document.body.getBoundingClientRect().height);
    // A frame that the page around hides has none: it keeps its height until it is shown again.
    if (height === 0 || height === last) return;
    post('height', { height });
    last = height;
  };
  new ResizeObserver(tellHeight).observe(document.body);
  find('main')?.addEventListener('load', tellHeight, true);
}
