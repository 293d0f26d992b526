import { pathOf } from '../beginning.ts';
import { removeKept } from '../kept.ts';
import { refresh } from '../live.ts';
import { find, type Page } from '../page.ts';
import { writeValues } from '../values.ts';
import { showStep } from '../walk.ts';
import { readFile, readWaiting, removeWaiting, type Waiting } from './waiting.ts';

/** Key in the tab's storage: id of the waiting form that the page is opened for. */
const WANTED = 'formstead-correct';

/** Opens a fresh page for answers that were refused, so that nothing else is filled in. */
export function beginCorrection(page: Page, { id, address }: Waiting): void {
  page.listeners.length = 0;
  removeKept(page.data.uuid);
  sessionStorage.setItem(WANTED, id);
  // The form may have got another slug since.
  location.assign(pathOf(page) + new URL(address, location.href).search);
}

/** Fills in the answers that the page was opened for. They go on waiting until the corrected ones are sent. */
export async function correctHere(page: Page): Promise<void> {
  const id = sessionStorage.getItem(WANTED);
  sessionStorage.removeItem(WANTED);
  const waiting = id !== null && (await readWaiting(page.data.uuid)).find((one) => one.id === id);
  if (!waiting) return;
  const isTyped = (name: string) => find(`[data-typed][name="${CSS.escape(name)}"]`, page.form) !== null;
  const typed: [string, string][] = [];
  for (const [name, value] of waiting.entries) {
    // A signature that was drawn or uploaded is no name that was typed.
    const isFile = value.startsWith('data:') || (await readFile(value)) !== undefined;
    if (!isFile || !isTyped(name)) typed.push([name, value]);
  }
  writeValues(page, typed);
  for (const [name, value] of waiting.entries) {
    const secret = find<HTMLInputElement>(`[data-secret][name="${CSS.escape(name)}"]`, page.form);
    if (secret) secret.value = value;
    const kept = await readFile(value);
    if (kept) await addFile(page, name, kept.file.name, value);
  }
  for (const [name] of waiting.entries) page.touched.add(name);
  page.listeners.push((event) => {
    if (event === 'sent' || event === 'kept') return removeWaiting(waiting).catch(() => {});
  });
  refresh(page);
  showStep(page, 0);
}

async function addFile(page: Page, field: string, name: string, reference: string): Promise<void> {
  const input = find<HTMLInputElement>('[type=file]', page.blocks.get(field));
  if (!input) return;
  const { addChosen, uploadPlace } = await import('../controls/upload.ts');
  const before = input.closest<HTMLElement>('[data-signature]')?.firstElementChild ?? input;
  addChosen(uploadPlace(page, input, before as HTMLElement), name, reference);
}
