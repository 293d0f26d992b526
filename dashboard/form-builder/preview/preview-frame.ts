// The preview has the same origin, so its document is accessible. Where it is not, it is shown as loaded.

/** Index of the step a frame shows. */
export function stepShown(frame: HTMLIFrameElement | undefined): number {
  const section = documentOf(frame)?.querySelector<HTMLElement>('.step:not([hidden])');
  return Number(section?.dataset.step ?? 0);
}

/** Copies typed values and the step to a new page of the same form. */
export function carryOver(before: HTMLIFrameElement, after: HTMLIFrameElement): void {
  const [old, next] = [documentOf(before), documentOf(after)];
  if (!old || !next) return;
  const form = next.querySelector('#form');
  for (const input of old.querySelectorAll<Input>('#form [name]')) {
    const twin = twinOf(next, input);
    if (twin) copyValue(input, twin);
  }
  form?.dispatchEvent(new Event('input', { bubbles: true }));
  goToStep(after, stepShown(before));
  after.contentWindow?.scrollTo(0, before.contentWindow?.scrollY ?? 0);
}

/** Goes to the step of a block and scrolls to it. */
export function showBlock(frame: HTMLIFrameElement, blockId: string): void {
  const page = documentOf(frame);
  const block = page?.querySelector<HTMLElement>(`[data-block="${CSS.escape(blockId)}"]`);
  const step = block?.closest<HTMLElement>('.step');
  if (!block || !step) return;
  if (step.hidden) goToStep(frame, Number(step.dataset.step ?? 0));
  // Not by `scrollIntoView`, which would also scroll the builder around the frame.
  const view = frame.contentWindow;
  if (!view) return;
  const { top, bottom } = block.getBoundingClientRect();
  if (top < 0 || bottom > view.innerHeight) view.scrollBy({ top: top - view.innerHeight / 4 });
}

type Input = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

function twinOf(page: Document, input: Input): Input | null {
  const named = [...page.querySelectorAll<Input>(`#form [name="${CSS.escape(input.name)}"]`)];
  if (isChoice(input)) return named.find((one) => isChoice(one) && one.value === input.value) ?? null;
  const same = named.filter((one) => !isChoice(one));
  return same.length === 1 ? (same[0] ?? null) : null;
}

function copyValue(from: Input, to: Input): void {
  if (isChoice(from) && isChoice(to)) to.checked = from.checked;
  else if (from.type !== 'file' && from.type !== 'hidden' && to.type !== 'file' && from.value !== '')
    to.value = from.value;
}

/** By tag and type, because elements of the frame have their own classes and fail `instanceof`. */
function isChoice(input: Input): input is HTMLInputElement {
  return input.tagName === 'INPUT' && (input.type === 'radio' || input.type === 'checkbox');
}

/** Lets the page's script change the step, as if the browser had gone back. */
function goToStep(frame: HTMLIFrameElement, step: number): void {
  frame.contentWindow?.dispatchEvent(new PopStateEvent('popstate', { state: { step } }));
}

function documentOf(frame: HTMLIFrameElement | undefined): Document | null {
  try {
    return frame?.contentDocument ?? null;
  } catch {
    return null;
  }
}
