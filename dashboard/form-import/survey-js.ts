import type { JsonObject, Property } from '../../fields/property.ts';
import { all, combined, type Test } from './boolean-tests.ts';
import { type Calculated, calculateAll } from './calculations.ts';
import {
  acceptOnlyWhen,
  compare,
  compareLength,
  limitTest,
  limitWords,
  requireWhen,
  showOnlyWhen,
} from './conditions.ts';
import { testOf } from './expression-conditions.ts';
import { parseExpression } from './expressions.ts';
import type { ImportedForm } from './imported.ts';
import { addressOf, countOf, numberOf, objectOf, objectsOf, textOf } from './json.ts';
import { makeForm } from './maker.ts';
import { askSurveyElement, commentOf, isSurveyType, textsIn } from './survey-js-elements.ts';
import { askRepeated, isRepeated } from './survey-js-repeats.ts';
import { asHtml, asName, heading, languageCode, mapWords, readWords, type Words } from './words.ts';

const PIPE = /\{([A-Za-z_][\w.-]*)\}/g;

export function isSurveyJs(source: JsonObject): boolean {
  const lists = [...objectsOf(source.pages), source].flatMap(({ elements, questions }) => [
    ...objectsOf(elements),
    ...objectsOf(questions),
  ]);
  return lists.some(({ type }) => isSurveyType(textOf(type)));
}

/** Members with expressions that change a question while it is answered. */
const EXPRESSIONS = [
  ...['enableIf', 'setValueExpression', 'defaultValueExpression', 'resetValueIf'],
  ...['minValueExpression', 'maxValueExpression'],
];

/** The elements around a question, outermost first. */
type Around = readonly { expression: string; about: string }[];

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
  for (const { block, around } of shown) showWhen(block, around);
  for (const { block, element } of checked) check(element, block);
  if (checked.some(({ element }) => element.correctAnswer !== undefined))
    maker.note('', 'It is a quiz: right answers are left out.');
  if (objectsOf(source.triggers).length > 0) maker.note('', 'Triggers are left out.');
  return finish();

  function walk(parent: JsonObject, around: Around): void {
    for (const element of [...objectsOf(parent.elements), ...objectsOf(parent.questions)]) {
      const inner = conditionsOf(element, around);
      if (element.type === 'panel') {
        tellTitle(element, inner);
        walk(element, inner);
      } else if (element.type === 'expression') result(element, inner);
      else {
        const from = maker.properties.length;
        const isMany = isRepeated(textOf(element.type));
        const asked = (isMany ? askRepeated : askSurveyElement)(maker, element, read);
        for (const block of maker.properties.slice(from)) {
          if (element.visible === false) block.hidden = true;
          shown.push({ block, around: inner });
          // A question asked once beside the entries is not bound by the conditions of their list.
          if (maker.find(commentOf(element))?.block === block) continue;
          const item = textsIn(element).find(({ name }) => maker.find(textOf(name))?.block === block);
          if (!isMany || block === asked) checked.push({ block, element: item ?? element });
        }
      }
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

  function showWhen(block: Property, around: Around): void {
    const tests: Test[] = [];
    for (const { expression } of around) {
      const parsed = parseExpression(expression, 'surveyjs');
      const test = parsed && testOf(parsed, maker.find);
      if (test === null)
        maker.note(block.name, `The condition under which it is shown is left out: ${expression}`);
      else tests.push(test);
    }
    if (tests.length > 0) showOnlyWhen(block, all(...tests), (text) => maker.note(block.name, text));
  }

  function check(element: JsonObject, block: Property): void {
    const requiredIf = textOf(element.requiredIf);
    const required = requiredIf === '' ? null : parseExpression(requiredIf, 'surveyjs');
    const needed = required && testOf(required, maker.find);
    if (requiredIf !== '' && (needed === null || !requireWhen(block, needed)))
      maker.note(block.name, `It was required under a condition, which is left out: ${requiredIf}`);
    for (const key of EXPRESSIONS)
      if (textOf(element[key]) !== '')
        maker.note(block.name, `“${key}” is left out: ${textOf(element[key])}`);
    const self = maker.find(textOf(element.name));
    if (self?.block !== block) return;
    const [min, max] = [element.min, element.max].map((value) => textOf(value) || undefined);
    const limits = block.type === 'date' ? limitTest(self, min, max) : null;
    const tests: Test[] = limits === null ? [] : [limits];
    let message = '';
    for (const validator of objectsOf(element.validators)) {
      if (validator.type === 'email') continue;
      const test = validatorTest(validator, self);
      if (test === null)
        maker.note(block.name, `What is checked of its answer is left out: ${textOf(validator.type)}`);
      else tests.push(test);
      message ||= asName(read(validator.text).text);
    }
    if (tests.length > 0) acceptOnlyWhen(self, block, all(...tests), message || limitWords(min, max));
  }

  function validatorTest(
    validator: JsonObject,
    self: NonNullable<ReturnType<typeof maker.find>>,
  ): Test | null {
    const limits = (min: unknown, max: unknown, test: (how: '>=' | '<=', value: number) => Test | null) => {
      const [least, most] = [numberOf(min), numberOf(max)];
      return combined('all', [
        ...(least === undefined ? [] : [test('>=', least)]),
        ...(most === undefined ? [] : [test('<=', most)]),
      ]);
    };
    switch (textOf(validator.type)) {
      case 'numeric':
        return limits(validator.minValue, validator.maxValue, (how, value) => compare(self, how, value));
      case 'text':
        return limits(validator.minLength, countOf(validator.maxLength), (how, value) =>
          compareLength(self, how, value),
        );
      case 'regex':
        return compare(self, 'matches', textOf(validator.regex));
      case 'expression': {
        const parsed = parseExpression(textOf(validator.expression), 'surveyjs');
        return parsed && testOf(parsed, maker.find);
      }
      default:
        return null;
    }
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
    if (objectsOf(source.completedHtmlOnCondition).length > 0)
      maker.note('', 'Of several texts after sending the usual one is brought along.');
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
