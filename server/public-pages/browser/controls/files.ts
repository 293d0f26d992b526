import { make, type Page, say } from '../page.ts';
import { addStyle } from './style.ts';
import { addFiles, uploadPlace } from './upload.ts';

/** What is wrong with a file stands beside it: the problem of the field says the same, and only describes its input. */
const STYLE = `.drop{outline:2px dashed var(--accent-text);outline-offset:.25em}.uploaded progress{flex:1 1 100%}.uploaded .error{flex:1 1 100%}
.uploaded:has([data-failed])~.error{display:none}`;

/** Uploads files as soon as they are chosen, dropped or photographed. */
export function enhanceFiles(element: HTMLElement, page: Page): void {
  const input = element as HTMLInputElement;
  const field = input.closest<HTMLElement>('.file') ?? input;
  const place = uploadPlace(page, input, field);
  const block = input.closest<HTMLElement>('[data-block]');
  const take = (from: HTMLInputElement) => {
    addFiles(place, from.files ?? []);
    // Files are uploaded separately, not sent with the form.
    from.value = '';
  };
  input.addEventListener('change', () => take(input));
  // Files that were chosen before this part was loaded.
  if (input.files?.length) take(input);
  block?.addEventListener('dragover', (event) => {
    event.preventDefault();
    block.classList.add('drop');
  });
  block?.addEventListener('dragleave', () => block.classList.remove('drop'));
  block?.addEventListener('drop', (event) => {
    event.preventDefault();
    block.classList.remove('drop');
    if (!input.disabled) addFiles(place, event.dataTransfer?.files ?? []);
  });
  window.ondragover = refuseElsewhere;
  window.ondrop = refuseElsewhere;
  addStyle(STYLE);
  if (!('camera' in input.dataset)) return;
  const camera = make('input', { type: 'file', accept: 'image/*', capture: 'environment', hidden: '' });
  const button = make('button', { type: 'button', class: 'quiet' }, say(page, 'takePhoto'));
  button.addEventListener('click', () => {
    if (!input.disabled) camera.click();
  });
  camera.addEventListener('change', () => take(camera));
  field.after(button, camera);
}

/** A file that is dropped beside its field would be opened by the browser, perhaps in place of the form. */
function refuseElsewhere(event: DragEvent): void {
  const { dataTransfer, defaultPrevented, target } = event;
  if (
    defaultPrevented ||
    !dataTransfer?.types.includes('Files') ||
    // In Firefox it may be a text.
    (target instanceof Element && target.matches('[type=file]'))
  )
    return;
  event.preventDefault();
  dataTransfer.dropEffect = 'none';
}
