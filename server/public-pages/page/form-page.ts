import { renderBlock } from '../../../fields/html/block.ts';
import { attribute, type Html, html, trusted } from '../../../fields/html/html.ts';
import type { Language } from '../../../fields/languages/language.ts';
import { languageFor } from '../../../fields/languages/languages.ts';
import type { Shown } from '../../../fields/logic/shown.ts';
import {
  currentStep,
  indexOfPlace,
  nextStep,
  placeOf,
  type Step,
  stepsOf,
} from '../../../fields/logic/steps.ts';
import type { Answers, ErrorBag } from '../../../fields/property.ts';
import { fillIn } from '../../../fields/texts/template.ts';
import { canonicalTypeName, holdsFiles } from '../../../fields/type-names.ts';
import type { PublishedForm } from '../../submissions/published-form/published-form.ts';
import { problemSummary } from '../posting/problem-summary.ts';
import { trapOf } from '../posting/spam-signs.ts';
import { unseenProblems } from '../posting/step-problems.ts';
import { type PageQuery, pathOf, type Visit, visitPath } from '../visit/visit.ts';
import type { PlacesLeft } from '../visit/visited-form.ts';
import { SHOWN_BY } from './code-page.ts';
import { languageChoice, SHOW_IN } from './language-choice.ts';
import { sayingAnswers, textWithAnswers, valuesOf } from './mentioned.ts';
import { momentIn } from './moment-in.ts';

/** A form with the answers so far. */
export interface FormPage {
  form: PublishedForm;
  visit: Visit;
  /** Random. Tells this page from others of its visit, which somebody else may have opened by its address; see `SENDING`. */
  sending?: string | null;
  /** Values of the address that further pages are to fill in too; see `givenBy`. */
  given?: PageQuery;
  answers: Answers;
  /** The answers were sent earlier in this visit. */
  isDraft: boolean;
  /**
   * When the answers were stored; null if they were not. Tells the script whether answers kept on the device were typed into this
   * page.
   */
  draftedAt: Date | null;
  /** Messages by field id; any other key is about the whole form. */
  problems: ErrorBag;
  /** Shown above the form, for example that an answer is being edited. */
  notice: Html | null;
  /** The captcha for visitors without script, or null. */
  captcha: Html | null;
  /** The operator allows owners' code on pages. */
  showsCode: boolean;
  /** See `frameKey`. */
  frameKey?: string | null | undefined;
  placesLeft: PlacesLeft;
}

/** Query key of a sent form: the same answers sent twice with it are one submission. */
export const SENDING = 'sending';
/** Name of the input with what the address of the page had filled in; no field has an id with blanks. */
export const GIVEN = 'given by address';

interface RenderedForm {
  main: Html;
  /** Rules for the pictures of this form. */
  css: string;
  shown: Shown;
  /** Those of the page and of the answers that it cannot show. */
  problems: ErrorBag;
}

/** Shared by all parts of the page. */
interface Scene extends FormPage {
  steps: readonly Step[];
  shown: Shown;
  /** Index of the step that is shown. */
  current: number;
  /** Address that shows the form again. */
  againUrl: string;
  language: Language;
  /** An owner's text, with the mentioned answers filled in. */
  richText(text: string): string;
  /** See `ControlContext`. */
  valueFor: ReturnType<typeof valuesOf>;
}

/** The form with all its steps, one of them shown. */
export function renderForm(page: FormPage): RenderedForm {
  const { form, visit, sending = null } = page;
  const steps = stepsOf(form.properties, form.presentation.presentation_style);
  const shown = form.compiled.show(page.answers);
  const current = currentStep(steps, shown.states, indexOfPlace(steps, visit.step));
  const language = languageFor(form.presentation.language);
  const say = sayingAnswers(form, shown);
  const richText = (text: string) => textWithAnswers(text, say);
  const ownKeys: [string, string][] = sending === null ? [] : [[SENDING, sending]];
  const action = visitPath(pathOf(form), { ...visit, step: placeOf(steps, current) }, ownKeys);
  const againUrl = `${action}&${SHOW_IN}=${language.code}`;
  const step = page.isDraft ? steps[current] : undefined;
  const scene: Scene = {
    ...page,
    problems: { ...(step && unseenProblems(form, step, shown.answers)), ...page.problems },
    steps,
    shown,
    current,
    againUrl,
    language,
    richText,
    valueFor: valuesOf(form, shown),
  };
  const css: string[] = [];
  const drafted = page.draftedAt && ` data-drafted="${page.draftedAt.getTime()}"`;
  const main = html`${languageChoice(form, action)}
${head(scene)}
<form id="form" method="post" action="${action}" novalidate${trusted(takesFiles(form) ? ' enctype="multipart/form-data"' : '')}${trusted(drafted ?? '')}>
${usualButton(form)}${progress(scene)}
${renderSteps(scene, css)}
${trapOf(form)}${carried(page)}${page.captcha}
${navigation(scene, action)}
</form>
${page.showsCode && ownCode(page)}`;
  return { main, css: css.join(''), shown, problems: scene.problems };
}

function carried({ given }: FormPage): Html | null {
  return given && given.size > 0 ? html`<input type="hidden" name="${GIVEN}" value="${`${given}`}">\n` : null;
}

/** Enter in a field presses a form's first button, which must not be one that changes the questions. */
function usualButton({ properties }: PublishedForm): Html | null {
  if (!properties.some(({ type }) => canonicalTypeName(type) === 'repeat')) return null;
  return html`<button type="submit" class="sr" tabindex="-1" aria-hidden="true"></button>`;
}

function head({ form, problems, notice, language }: Scene): Html {
  const { logo_picture: logo, description } = form.presentation;
  return html`${logo !== null && html`<img class="logo" src="${logo}" alt="">`}
<h1>${form.title}</h1>
${description !== null && html`<p class="description">${description}</p>`}
${closing(form, language)}
${notice}
${problemSummary(form, problems, language)}`;
}

/** Until when answers are accepted; the script writes it in the visitor's time zone. */
function closing({ closesAt }: PublishedForm, { page: texts, code }: Language): Html | null {
  if (closesAt === null) return null;
  return html`<p class="closes"><time datetime="${closesAt.toISOString()}" data-closes="${texts.openUntil}">${momentIn(texts.openUntil, closesAt, code)}</time></p>`;
}

/** The ids of elements number the blocks of the whole form, so that they are the same on every page. */
function renderSteps(scene: Scene, css: string[]): Html[] {
  let index = 0;
  return scene.steps.map(({ blocks, end }, number) => {
    const rendered = blocks.map((property) => {
      const { markup, css: rules } = renderBlock(property, blockContext(scene, property.id, index++));
      css.push(rules);
      return markup;
    });
    const texts = scene.language.page;
    const name = scene.steps.length > 1 && stepName(scene, number);
    return html`<section class="step"${attribute('aria-label', name)} data-step="${number}" data-next="${textOption(end?.next_btn_text, texts.next)}"${trusted(number === scene.current ? '' : ' hidden')}>
<div class="blocks">
${rendered}
</div>
</section>`;
  });
}

function blockContext(
  {
    form,
    visit,
    answers,
    problems,
    shown,
    language,
    showsCode,
    frameKey,
    placesLeft,
    richText,
    valueFor,
    againUrl,
  }: Scene,
  id: string,
  index: number,
) {
  const { hidden = false, required = false, disabled = false } = shown.states.get(id) ?? {};
  return {
    texts: language.page,
    language: language.code,
    answer: Object.hasOwn(answers, id) ? answers[id] : undefined,
    index,
    isHidden: hidden,
    isRequired: required,
    isDisabled: disabled,
    problems,
    placesLeft: placesLeft.get(id),
    againUrl,
    orderSeed: visit.id,
    maxFileSize: form.maxFileSize,
    richText,
    valueFor,
    isEdit: visit.submissionId !== null,
    codeUrl: showsCode ? codePath({ form, visit, frameKey }, id) : null,
  };
}

/** The form's own code, below it; it may show something or only count visits. */
function ownCode(page: FormPage): Html | null {
  const { form } = page;
  if (!form.presentation.custom_code?.trim()) return null;
  return html`<iframe class="wide" src="${codePath(page, null)}" title="${form.title}" sandbox="allow-scripts allow-forms allow-popups" loading="lazy" data-code></iframe>`;
}

function codePath(
  { form, visit: { key }, frameKey }: Pick<FormPage, 'form' | 'visit' | 'frameKey'>,
  blockId: string | null,
): string {
  const path = `${pathOf(form)}/code${blockId === null ? '' : `/${encodeURIComponent(blockId)}`}`;
  const query = new URLSearchParams();
  if (key !== null) query.set('key', key);
  if (frameKey) query.set(SHOWN_BY, frameKey);
  return query.size > 0 ? `${path}?${query}` : path;
}

/** Going on comes before going back, because without a script Enter presses the first button. */
function navigation(scene: Scene, action: string): Html {
  const { steps, shown, current, language, form } = scene;
  const texts = language.page;
  const isLast = nextStep(steps, shown.states, current, 1) === null;
  const isFirst = nextStep(steps, shown.states, current, -1) === null;
  const submit =
    scene.visit.submissionId === null
      ? (form.presentation.submit_button_text ?? texts.submit)
      : texts.saveChanges;
  const back = textOption(steps[current - 1]?.end?.previous_btn_text, texts.previous);
  return html`<div class="nav">
<button class="primary" type="submit" data-submit="${submit}">${isLast ? submit : textOption(steps[current]?.end?.next_btn_text, texts.next)}</button>
<button class="quiet" type="submit" formaction="${action}&go=back" data-back${trusted(isFirst ? ' hidden' : '')}>${back}</button>
</div>`;
}

function stepName({ steps, language }: Scene, step: number): string {
  return fillIn(language.page.progress, { step: step + 1, total: steps.length }, language.code);
}

function progress(scene: Scene): Html | null {
  const { form, steps, current } = scene;
  if (!form.presentation.show_progress_bar || steps.length < 2) return null;
  const text = stepName(scene, current);
  return html`<div class="progress"><progress max="${steps.length}" value="${current + 1}" aria-label="${text}"></progress><span>${text}</span></div>`;
}

function takesFiles(form: PublishedForm): boolean {
  return form.properties.some(({ type }) => holdsFiles(canonicalTypeName(type)));
}

function textOption(text: unknown, otherwise: string): string {
  return typeof text === 'string' && text.trim() !== '' ? text : otherwise;
}
