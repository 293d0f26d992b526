import type { JsonObject, Property } from '../../../fields/property.ts';
import { type Calculated, calculateAll } from '../calculations.ts';
import type { ImportedForm } from '../imported.ts';
import { addressOf, objectOf, objectsOf, textOf } from '../json.ts';
import { makeForm } from '../maker.ts';
import {
  asHtml,
  asName,
  heading,
  inOneLanguage,
  languageCode,
  mapWords,
  readWords,
  type Words,
} from '../words.ts';
import { type Around, checkAnswer, showWhen, testIn } from './conditions.ts';
import { askSurveyElement, commentOf, elementsIn, isSurveyType, textsIn } from './elements.ts';
import { askRepeated, isRepeated } from './repeats.ts';

const PIPE = /\{([A-Za-z_][\w.-]*)\}/g;

export function isSurveyJs(source: JsonObject): boolean {
  const elements = [...objectsOf(source.pages), source].flatMap(elementsIn);
  return elements.some(({ type }) => isSurveyType(textOf(type)));
}

/** A survey in the format of SurveyJS. */
export function fromSurveyJs(source: JsonObject): ImportedForm {
  const maker = makeForm(PIPE);
  const own = languageCode(textOf(source.locale)) ?? 'en';
  const read = (value: unknown): Words => readWords(value, own);
  const shown: { block: Property; around: Around }[] = [];
  const checked: { block: Property; element: JsonObject }[] = [];
  const calculations = objectsOf(source.calculatedValues).map(({ name, expression }) =>
    calculated(name, name, expression),
  );

  const description = read(source.description);
  if (description.text !== '') maker.tell(description);
  const pages = Array.isArray(source.pages) ? objectsOf(source.pages) : [source];
  const isOnePage = source.questionsOnPageMode === 'singlePage';
  pages.forEach((page, index) => {
    const next = asName(read(source.pageNextText).text);
    if (index > 0 && !isOnePage)
      maker.breakPage(read(page.title ?? page.name), next === '' ? {} : { next_btn_text: next });
    const around = page === source ? [] : conditionsOf(page, []);
    tellTitle(page === source ? {} : page, around);
    walk(page, around);
  });
  calculateAll(maker, calculations, 'surveyjs');
  for (const { block, around } of shown) showWhen(maker, block, around);
  for (const { block, element } of checked) checkAnswer(maker, element, block, read);
  if (checked.some(({ element }) => element.correctAnswer !== undefined))
    maker.note('', 'It is a quiz: right answers are left out.');
  if (objectsOf(source.triggers).length > 0) maker.note('', 'Triggers are left out.');
  return finish();

  function walk(parent: JsonObject, around: Around): void {
    for (const element of elementsIn(parent)) {
      const inner = conditionsOf(element, around);
      if (element.type === 'panel') {
        tellTitle(element, inner);
        walk(element, inner);
      } else if (element.type === 'expression') result(element, inner);
      else askElement(element, inner);
    }
  }

  function askElement(element: JsonObject, around: Around): void {
    const from = maker.properties.length;
    const isMany = isRepeated(textOf(element.type));
    const asked = (isMany ? askRepeated : askSurveyElement)(maker, element, read);
    for (const block of maker.properties.slice(from)) {
      if (element.visible === false) block.hidden = true;
      shown.push({ block, around });
      const isOf = (name: string) => maker.find(name)?.block === block;
      // Neither a comment nor a question asked once beside the entries is bound by the conditions of the element itself.
      if (isOf(commentOf(element)) || (isMany && block !== asked)) continue;
      const item = textsIn(element).find(({ name }) => isOf(textOf(name)));
      checked.push({ block, element: item ?? element });
    }
  }

  function conditionsOf({ visibleIf, title, name }: JsonObject, around: Around): Around {
    const expression = textOf(visibleIf);
    return expression === ''
      ? around
      : [...around, { expression, about: asName(read(title).text) || textOf(name) }];
  }

  function tellTitle(part: JsonObject, around: Around): void {
    const title = read(part.title);
    const text = read(part.description);
    if (title.text === '' && text.text === '') return;
    const block = maker.tell(title.text === '' ? text : title, (words) =>
      title.text === '' ? asHtml(words) : heading(words) + asHtml(text.text),
    );
    if (block) shown.push({ block, around });
  }

  function calculated(key: unknown, name: unknown, expression: unknown): Calculated {
    const source = textOf(key);
    maker.calculationId(source);
    return { source, name: asName(textOf(name)), text: textOf(expression) };
  }

  /** A calculated result is shown in a text block. */
  function result(element: JsonObject, around: Around): void {
    const key = textOf(element.name);
    const title = read(element.title ?? element.name);
    calculations.push(calculated(key, title.text, element.expression));
    const block = maker.tell(
      title,
      (text) => `<p>${asHtml(text).replace(/<\/?p>/g, '')} <strong>{${key}}</strong></p>`,
    );
    if (block) shown.push({ block, around });
  }

  function endWhen(expression: unknown, text: Words, address: string | undefined): void {
    const condition = textOf(expression);
    const when = testIn(maker, condition);
    if (when === null) maker.note('', `What follows sending under a condition is left out: ${condition}`);
    else maker.endWhen(when, asName(text.text) || condition, { text, address });
  }

  function finish(): ImportedForm {
    const title = read(source.title);
    maker.translate('title', mapWords(title, asName));
    const thanks = read(source.completedHtml);
    maker.translate('submitted_text', thanks);
    const [button, logo, redirect] = [
      asName(read(source.completeText).text),
      addressOf(objectOf(source.logo).default ?? source.logo),
      addressOf(source.navigateToUrl),
    ];
    for (const { expression, url } of objectsOf(source.navigateToUrlOnCondition))
      endWhen(expression, inOneLanguage(''), addressOf(url));
    for (const { expression, html } of objectsOf(source.completedHtmlOnCondition))
      endWhen(expression, read(html), redirect);
    return maker.finish(asName(title.text), {
      language: own,
      ...(/^(questionPerPage|inputPerPage)$/.test(textOf(source.questionsOnPageMode)) && {
        presentation_style: 'focused',
      }),
      ...(source.showProgressBar !== undefined &&
        source.showProgressBar !== false &&
        source.showProgressBar !== 'off' && { show_progress_bar: true }),
      ...(thanks.text !== '' && { submitted_text: maker.rich(thanks).text }),
      ...(button !== '' && { submit_button_text: button }),
      ...(logo !== undefined && { logo_picture: logo }),
      ...(redirect !== undefined && { redirect_url: redirect }),
    });
  }
}
