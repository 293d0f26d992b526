import { completeEngines } from './engines.ts';
import { refresh, showNotice } from './live.ts';
import { find, openPage, type Page, recompile, tell } from './page.ts';
import { findProblems, problemsOf, showProblems, summarise } from './problems.ts';
import { firstField, focusStep, goTo, neighbour, showStep } from './walk.ts';

/*
 * The script of a form's page. The form works without it and stays as the server made it: if a part fails here, the form can
 * still be sent the plain way.
 */

/** How long a press of a button waits for the form's rules; without them the service alone checks the answers. */
const PATIENCE_MS = 10_000;

const form = find<HTMLFormElement>('#form');
const json = find('#form-data')?.textContent;
if (form && json) start(openPage(form, JSON.parse(json)));

function start(page: Page): void {
  const { form, data } = page;
  const complete = completeEngines(page.engines, data.needs)?.then(() => {
    recompile(page);
    refresh(page);
  });
  // A press of a button waits for the rules until then, and learns if they failed to load.
  page.ready =
    complete && Promise.race([complete, new Promise<void>((_, fail) => setTimeout(fail, PATIENCE_MS))]);
  page.ready?.catch(ignore);
  refresh(page);
  history.replaceState({ step: page.step }, '');
  form.addEventListener('input', ({ target }) => changed(page, target as HTMLElement));
  form.addEventListener('change', ({ target }) => changed(page, target as HTMLElement));
  form.addEventListener('submit', (event) => {
    // A button with a language loads the form's page in that language.
    if (page.isPlain || event.submitter?.lang) return;
    event.preventDefault();
    const go = event.submitter?.matches('[data-back]') ? goBack : goOn;
    void go(page).catch(() => failed(page, event.submitter));
  });
  form.addEventListener('keypress', (event) => entered(page, event));
  addEventListener('popstate', ({ state, isTrusted }) => {
    if (!state) return;
    if (!form.isConnected || state.step < 0) return page.loadAnew ? page.loadAnew() : location.reload();
    showStep(page, state.step);
    // In the builder's preview a script changes the step: the focus stays with the builder.
    if (isTrusted) focusStep(page);
  });
  if (data.nicer) void import('./controls.ts').then(({ enhance }) => enhance(page));
  if (data.focused || data.arrows) void import('./focused.ts').then(({ startFocused }) => startFocused(page));
  if (parent !== window) void import('./embedded.ts').then(({ tellParent }) => tellParent(page));
  if (location.search || hasKept(data.uuid)) void begin(page, ignore);
  document.onvisibilitychange = () => {
    page.seenAt = performance.now();
  };
  if (data.autoFocus && parent === window && document.activeElement === document.body)
    firstField(form)?.focus({ preventScroll: true });
}

/** Loads what is needed once the visitor begins: without it a form could be sent without being checked as a whole. */
function begin(page: Page, onFailure?: () => void): Promise<unknown> {
  return import('./begun.ts').then((part) => part.begin(page), onFailure);
}

function ignore(): void {}

function hasKept(uuid: string): boolean {
  try {
    return `form:${uuid}` in { ...localStorage, ...sessionStorage };
  } catch {
    return false;
  }
}

/** Enter in a field goes to the next field; only in the last one it presses the button. */
function entered({ form, data }: Page, event: KeyboardEvent): void {
  const field = event.target as HTMLInputElement;
  if (event.key !== 'Enter' || data.focused || !field.matches('input:not([type=file],[readonly]),select'))
    return;
  // Enter held down must not run through all fields.
  const next = event.repeat ? field : firstField(form, field);
  if (!next) return;
  event.preventDefault();
  next.focus();
}

function changed(page: Page, target: HTMLElement): void {
  const id = target.closest<HTMLElement>('[data-block]')?.dataset.block;
  if (id) page.touched.add(id);
  refresh(page);
  // Solved problems disappear at once; new ones are shown when the field is left.
  const told = page.problems;
  if (Object.keys(told).length > 0)
    showProblems(
      page,
      problemsOf(findProblems(page), (other) => Object.hasOwn(told, other)),
    );
  void tell(page, 'change');
  // Also where a program fills in a field and tells only of the change.
  void begin(page, ignore);
}

async function goBack(page: Page): Promise<void> {
  await page.ready;
  const step = neighbour(page, -1);
  if (step === null) return;
  showProblems(page, {});
  goTo(page, step);
}

/** Goes to the next step, or sends the form after the last one. If there are problems it shows them instead. */
async function goOn(page: Page): Promise<void> {
  const { step } = page;
  await page.ready;
  await begin(page);
  // The button was pressed again during loading, and the step has changed.
  if (page.step !== step) return;
  refresh(page);
  const next = neighbour(page, 1);
  const ids = new Set(page.steps[page.step]?.blocks.map(({ id }) => id));
  const problems = problemsOf(findProblems(page), (id) => next === null || ids.has(id));
  if (Object.keys(problems).length > 0) return tellProblems(page, problems);
  showProblems(page, {});
  if (next !== null) return goTo(page, next);
  const { send } = await import('./send.ts');
  await send(page, (errors) => tellProblems(page, errors));
}

/**
 * Where the script fails, the browser sends the form itself; but not without a network, when the browser's error page would
 * replace the form.
 */
async function failed(page: Page, submitter: HTMLElement | null): Promise<void> {
  const isReachable =
    navigator.onLine &&
    (await fetch(import.meta.url, { method: 'HEAD', cache: 'no-store' }).catch(() => null));
  if (!isReachable) return showNotice(page, navigator.onLine ? 'sendFailed' : 'offline');
  page.isPlain = true;
  // Taken from the prototype, because a field named `requestSubmit` would hide the form's own.
  HTMLFormElement.prototype.requestSubmit.call(page.form, submitter);
}

function tellProblems(page: Page, problems: Parameters<typeof summarise>[1]): void {
  const wrong = page.steps.findIndex(({ blocks }) => blocks.some(({ id }) => Object.hasOwn(problems, id)));
  if (wrong >= 0 && wrong !== page.step) goTo(page, wrong);
  summarise(page, problems);
}
