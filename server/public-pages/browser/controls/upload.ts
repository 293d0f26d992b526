import { actionOf, find, make, type Page, say } from '../page.ts';
import { type FileAnswer, isReadable, LARGE, sendInParts, type Transfer } from '../send-in-parts.ts';
import { transferMs } from '../transfer-ms.ts';
import { holdForFiles } from './plain-sending.ts';
import { announceChange } from './style.ts';

const MEGABYTE = 1024 * 1024;

/** Where the files of a field are listed, and which may be added. */
interface UploadPlace {
  page: Page;
  /** Id of the field. */
  id: string;
  list: HTMLUListElement;
  isMultiple: boolean;
  /** In bytes. */
  maxSize: number;
  /** Extensions with their dots; empty for all. */
  types: readonly string[];
  /** Called when a file has arrived. */
  onArrival?(): void;
}

/** Finds or makes the list of a field's files; files from an earlier page get a remove button instead of a box. */
export function uploadPlace(page: Page, input: HTMLInputElement, before: HTMLElement): UploadPlace {
  const block = input.closest<HTMLElement>('[data-block]') ?? page.form;
  const list = find<HTMLUListElement>('.uploaded', block) ?? make('ul', { class: 'uploaded' });
  if (!list.isConnected) before.before(list);
  for (const item of list.querySelectorAll('li')) {
    find('label', item)?.remove();
    const remove = removeButton(page, item, find('span', item)?.textContent ?? '');
    remove.disabled = input.disabled;
    item.append(remove);
  }
  describeByFiles(page, input, list);
  // The native input, emptied after each choice, would say that no file is chosen.
  input.parentElement?.classList.add('listed');
  return {
    page,
    id: block.dataset.block ?? '',
    list,
    isMultiple: input.multiple,
    maxSize: Number(input.dataset.maxSize ?? Infinity),
    types: input.accept === '' ? [] : input.accept.toLowerCase().split(','),
  };
}

/** The input itself says that no file is chosen, as it is emptied after each choice. Its description names the files. */
function describeByFiles(page: Page, input: HTMLInputElement, list: HTMLUListElement): void {
  const held = make('span', { id: `${input.id}-held`, hidden: '' });
  list.after(held);
  const describe = () => {
    const items = [...list.querySelectorAll('li')].filter((item) => find('[type=hidden]', item));
    const name = items.map((item) => find('span', item)?.textContent).join(', ');
    held.textContent = name && say(page, 'uploadedFile', { name });
  };
  new MutationObserver(describe).observe(list, { childList: true, subtree: true });
  describe();
  input.setAttribute('aria-describedby', `${input.getAttribute('aria-describedby') ?? ''} ${held.id}`.trim());
}

/** Uploads files at once, each with its progress; a file becomes part of the answer when it has arrived. */
export function addFiles(place: UploadPlace, files: Iterable<File>): void {
  const { page, list, isMultiple } = place;
  removeItems(list, '[data-failed]');
  const chosen = [...files];
  if (!isMultiple && chosen.length > 1) fail(list, addItem(place, ''), say(page, 'oneFileOnly'));
  for (const file of isMultiple ? chosen : chosen.slice(0, 1)) {
    const problem = problemOf(place, file);
    // The earlier file stays until this one has arrived.
    if (!isMultiple && problem === null) removeItems(list, 'li:has(progress)');
    const item = addItem(place, file.name);
    if (problem !== null) {
      fail(list, item, problem);
      continue;
    }
    holdForFiles(page);
    const sent = upload(place, item, file);
    page.waits.push(() => sent);
  }
}

/** Removes files from the list; running uploads are aborted. */
export function removeItems(list: HTMLUListElement, which = 'li'): void {
  for (const item of list.querySelectorAll(which)) {
    item.dispatchEvent(new Event('remove'));
    item.remove();
  }
}

function problemOf({ page, maxSize, types }: UploadPlace, { name, size }: File): string | null {
  if (size === 0) return say(page, 'fileEmpty');
  if (size > maxSize)
    return say(page, 'fileTooLarge', { limit: Math.round((maxSize / MEGABYTE) * 100) / 100 });
  const isAllowed = types.length === 0 || types.some((type) => sameType(name.toLowerCase(), type));
  return isAllowed ? null : say(page, 'fileTypeRefused');
}

/** Some types have two extensions. */
function sameType(name: string, type: string): boolean {
  return name.endsWith(type) || (/^\.jpe?g$/.test(type) && /\.jpe?g$/.test(name));
}

function addItem({ page, list }: UploadPlace, name: string): HTMLLIElement {
  const item = make('li', {}, make('span', {}, name));
  item.append(removeButton(page, item, name));
  list.append(item);
  return item;
}

function removeButton(page: Page, item: HTMLElement, name: string): HTMLButtonElement {
  const text = say(page, 'remove', { name });
  const button = make('button', { type: 'button', class: 'quiet', 'aria-label': text, title: text }, '×');
  button.addEventListener('click', () => {
    const block = item.closest<HTMLElement>('[data-block]');
    item.dispatchEvent(new Event('remove'));
    item.remove();
    if (!block) return;
    announceChange(block);
    find('input:not([type=hidden])', block)?.focus();
  });
  return button;
}

/** Shows beside a file why it is not part of the answer. */
export function fail(list: HTMLElement, item: HTMLElement, text: string): void {
  item.dataset.failed = '';
  find('[role=status]', item)?.remove();
  item.append(make('span', { class: 'error', role: 'alert' }, text));
  announceChange(list);
}

async function upload(place: UploadPlace, item: HTMLElement, file: File): Promise<void> {
  const { page, id } = place;
  const bar = make('progress', { max: '100', value: '0', 'aria-label': file.name });
  const state = make('span', { class: 'sr', role: 'status' });
  let told = -1;
  item.append(bar, state);
  const removed = new AbortController();
  item.addEventListener('remove', () => removed.abort());
  // A form that may wait for a network keeps its files on the device too. If there is no room, the upload alone is enough.
  const kept = await page.files?.keep(file).catch(() => null);
  const drop = () => {
    if (kept) page.files?.drop(kept);
  };
  item.addEventListener('remove', drop);
  if (removed.signal.aborted) return drop();
  const transfer: Transfer = {
    file,
    path: actionOf(page).pathname,
    field: id,
    language: page.data.language,
    key: actionOf(page).searchParams.get('key'),
    // A file kept on the device is tried again later, so fewer attempts are made now.
    attempts: kept ? 3 : 20,
    signal: removed.signal,
    onBegun: (begun) => kept && page.files?.begun(kept, begun).catch(() => {}),
    onProgress: (share) => {
      bar.value = Math.floor(share * 100);
      // Screen readers are told every quarter, and then that it has arrived.
      const quarter = Math.min(3, Math.floor(share * 4));
      if (quarter <= told) return;
      told = quarter;
      state.textContent = say(page, 'uploading', { percent: quarter * 25 });
    },
  };
  const answer = await send(transfer, kept ? transferMs(file.size) : 0);
  // A success without a reference is not the service's: the sign-in page of a network answers so.
  const isWordless = answer.status < 400 && answer.reference === undefined;
  const isUnanswered = isWordless || answer.status >= 500;
  // The upload has succeeded, even if the device cannot note it.
  if (kept && answer.reference) await page.files?.arrived(kept, answer.reference).catch(() => {});
  const reference = kept && isUnanswered ? kept : answer.reference;
  bar.remove();
  if (removed.signal.aborted) return;
  if (reference !== undefined) return addArrived(place, item, file.name, reference);
  const reason = isUnanswered && !(await isReadable(file)) ? 'fileChanged' : 'uploadFailed';
  const [first = say(page, reason)] = Object.values(answer.errors ?? {}).flat();
  fail(place.list, item, first);
}

/** @param limitMs for a file that is sent whole; 0 for no limit */
async function send(transfer: Transfer, limitMs: number): Promise<FileAnswer> {
  const answer = transfer.file.size > LARGE ? await sendInParts(transfer) : null;
  // The preview of a form accepts whole files only.
  return answer && answer.status !== 404 ? answer : sendWhole(transfer, limitMs);
}

/** By XMLHttpRequest, because fetch() reports no upload progress. */
function sendWhole(
  { file, path, field, language, key, signal, onProgress }: Transfer,
  limitMs: number,
): Promise<FileAnswer> {
  const body = new FormData();
  body.append('file', file);
  const request = new XMLHttpRequest();
  request.open('POST', `${path}/files?${new URLSearchParams({ field, lang: language })}`);
  request.setRequestHeader('accept', 'application/json');
  if (key != null) request.setRequestHeader('form-password', key);
  request.timeout = limitMs;
  request.upload.onprogress = ({ loaded, total }) => onProgress?.(loaded / total);
  signal?.addEventListener('abort', () => request.abort());
  return new Promise((resolve) => {
    request.onloadend = () => resolve({ ...parsed(request.responseText), status: request.status });
    request.send(body);
  });
}

/** Makes a file part of the answer. */
function addArrived(place: UploadPlace, item: HTMLElement, name: string, reference: string): void {
  const { page, id, list } = place;
  if (!place.isMultiple) list.replaceChildren(item);
  place.onArrival?.();
  item.append(make('input', { type: 'hidden', name: id, value: reference }));
  const state = find('[role=status]', item);
  if (state) state.textContent = say(page, 'uploadedFile', { name });
  announceChange(item);
}

/** Adds a file from an earlier page. */
export function addChosen(place: UploadPlace, name: string, reference: string): void {
  addArrived(place, addItem(place, name), name, reference);
}

function parsed(text: string): Partial<FileAnswer> {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}
