import { isOn, stringList } from '../../fields/block-options/options.ts';
import { optionNames } from '../../fields/choices/choices.ts';
import { plainPartName } from '../../fields/html/part-names.ts';
import type { Property } from '../../fields/property.ts';
import { entryLimits, questionsOf } from '../../fields/repeated-questions.ts';
import { canonicalTypeName } from '../../fields/type-names.ts';
import { numberRange } from '../../fields/types/number.ts';
import { ratingMax } from '../../fields/types/rating.ts';
import { scaleSteps, sliderSteps } from '../../fields/types/stepped.ts';
import { escaped } from './escaped.ts';
import { entryTitle } from './questions.ts';

/** Entries of repeated questions, because a plain form cannot add any. */
const PLAIN_ENTRIES = 3;

/** A plain HTML form that sends its answers to this one, for sites with their own design. */
export function htmlForm(action: string, questions: readonly Property[], button: string): string {
  const shown = questions.filter(
    ({ type, hidden }) => !isOn(hidden) && !['payment', 'computed'].includes(canonicalTypeName(type)),
  );
  const takesFiles = shown.some(({ type }) => canonicalTypeName(type) === 'files');
  const encoding = takesFiles ? ' enctype="multipart/form-data"' : '';
  return [
    // Otherwise a page in another encoding would send answers in that.
    `<form method="post" action="${escaped(action)}" accept-charset="utf-8"${encoding}>`,
    ...shown.flatMap((question) => control(question).map((line) => `  ${line}`)),
    `  <button type="submit">${escaped(button)}</button>`,
    '</form>',
    '',
  ].join('\n');
}

/** Whole numbers need whole limits, because browsers count steps from the lowest. */
function numberLimits(question: Property): string {
  const isWhole = isOn(question.whole_number);
  const range = numberRange(question);
  const min = isWhole ? Math.ceil(range.min) : range.min;
  const max = isWhole ? Math.floor(range.max) : range.max;
  return [
    ...(min === -Infinity ? [] : [` min="${min}"`]),
    ...(max === Infinity ? [] : [` max="${max}"`]),
    ` step="${isWhole ? 1 : 'any'}"`,
  ].join('');
}

function control(question: Property): string[] {
  const { id, required } = question;
  const name = escaped(id);
  const label = escaped(question.name);
  const must = isOn(required) && !question.logic ? ' required' : '';
  const input = (attributes: string) => [
    `<p><label>${label} <input name="${name}"${attributes}${must}></label></p>`,
  ];
  const area = [`<p><label>${label} <textarea name="${name}"${must}></textarea></label></p>`];
  const type = canonicalTypeName(question.type);
  switch (type) {
    case 'text':
      return isOn(question.multi_lines) ? area : input('');
    case 'rich_text':
      return area;
    case 'number':
      return input(` type="number"${numberLimits(question)}`);
    case 'rating':
      return input(` type="number" min="1" max="${ratingMax(question)}"`);
    case 'scale':
    case 'slider': {
      const { min, max, step } = type === 'scale' ? scaleSteps(question) : sliderSteps(question);
      return input(` type="number" min="${min}" max="${max}" step="${step}"`);
    }
    case 'checkbox':
      return [`<p><label><input type="checkbox" name="${name}"${must}> ${label}</label></p>`];
    case 'email':
      return input(' type="email"');
    case 'url':
      return input(' type="url"');
    case 'phone_number':
      return input(' type="tel" placeholder="+33123456789"');
    case 'select':
      return select(question, must);
    case 'multi_select':
      return group(label, [choices(optionNames(question, 'multi_select'), 'checkbox', name)]);
    case 'ranking': {
      const names = optionNames(question, 'ranking');
      const places = names.map((_, index) => `<option>${index + 1}</option>`).join('');
      return group(
        label,
        names.map(
          (option) =>
            `<label>${escaped(option)} <select name="${escaped(plainPartName(question.id, option))}"${must}><option></option>${places}</select></label>`,
        ),
      );
    }
    case 'matrix':
      return group(
        label,
        stringList(question.rows).map(
          (row) =>
            `${escaped(row)}: ${choices(stringList(question.columns), 'radio', escaped(plainPartName(question.id, row)))}`,
        ),
      );
    case 'date': {
      const kind = isOn(question.with_time) ? 'datetime-local' : 'date';
      if (!isOn(question.date_range)) return input(` type="${kind}"`);
      const part = (index: number) => `<input type="${kind}" name="${name}[${index}]"${must}>`;
      return group(label, [`${part(0)} – ${part(1)}`]);
    }
    case 'repeat':
      return entries(question);
    case 'files':
      return input(` type="file"${isOn(question.multiple) ? ' multiple' : ''}`);
    default:
      return input('');
  }
}

/** The first entries, each with its own inputs; blank ones are ignored. */
function entries(property: Property): string[] {
  const { min, max } = entryLimits(property);
  const needed = isOn(property.required) && !property.logic ? Math.max(min, 1) : 0;
  return Array.from({ length: Math.min(Math.max(min, PLAIN_ENTRIES), max) }, (_, index) => {
    const lines = questionsOf(property).flatMap((question) =>
      control({
        ...question,
        id: `${property.id}[${index}][${question.id}]`,
        required: index < needed && isOn(question.required),
      }),
    );
    return [
      '<fieldset>',
      `  <legend>${escaped(entryTitle(property, index))}</legend>`,
      ...lines.map((line) => `  ${line}`),
      '</fieldset>',
    ];
  }).flat();
}

function select(question: Property, must: string): string[] {
  const options = optionNames(question, 'select').map(
    (name) => `    <option${valueAttribute(name)}>${escaped(name)}</option>`,
  );
  return [
    `<p><label>${escaped(question.name)}`,
    `  <select name="${escaped(question.id)}"${must}>`,
    '    <option value=""></option>',
    ...options,
    '  </select></label></p>',
  ];
}

/** An option without a value sends its text, in which browsers trim and join spaces (HTML, the option element). */
function valueAttribute(name: string): string {
  return name === name.trim().replace(/\s+/g, ' ') ? '' : ` value="${escaped(name)}"`;
}

function choices(names: readonly string[], kind: 'checkbox' | 'radio', name: string): string {
  return names
    .map(
      (text) =>
        `<label><input type="${kind}" name="${name}" value="${escaped(text)}"> ${escaped(text)}</label>`,
    )
    .join(' ');
}

function group(label: string, lines: readonly string[]): string[] {
  return [
    '<fieldset>',
    `  <legend>${label}</legend>`,
    ...lines.map((line) => `  <p>${line}</p>`),
    '</fieldset>',
  ];
}
