import { showNotice } from '../live.ts';
import { find, type Page } from '../page.ts';

const held = new WeakSet<Page>();

/**
 * The browser itself sends the form where a part of the script is missing, and to show it in another language. Then too it waits
 * for files that are being uploaded, and does not go without one that failed.
 */
export function holdForFiles(page: Page): void {
  if (held.has(page)) return;
  held.add(page);
  page.form.addEventListener('submit', (event) => {
    if (event.defaultPrevented) return;
    const { submitter } = event;
    const isRunning = find('.uploaded progress', page.form);
    const failed = find('.uploaded [data-failed]', page.form);
    if (!isRunning && (!failed || submitter?.matches('[formaction]'))) return;
    event.preventDefault();
    showNotice(page, isRunning ? 'uploadsPending' : 'uploadFailed');
    if (isRunning) void sendAfterwards(page, submitter);
    else failed?.scrollIntoView();
  });
}

async function sendAfterwards(page: Page, submitter: HTMLElement | null): Promise<void> {
  for (const wait of page.waits) await wait();
  showNotice(page, null);
  HTMLFormElement.prototype.requestSubmit.call(page.form, submitter);
}
