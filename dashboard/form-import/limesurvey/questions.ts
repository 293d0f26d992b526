import type { JsonValue } from '../../../fields/property.ts';
import type { Choices } from '../choices.ts';
import { askTime } from '../clock.ts';
import { fileTypes } from '../file-types.ts';
import { countOf, numberOf } from '../json.ts';
import { prefilled } from '../prefilled.ts';
import { askLimeArray } from './arrays.ts';
import { askLimeChoice } from './choices.ts';
import {
  type Ask,
  aroundAnswer,
  isRequired,
  type LimeContext,
  type LimeTexts,
  numberOptions,
  prefillOf,
  textOptions,
  textsOf,
} from './context.ts';
import { attribute, type LimeQuestion } from './survey.ts';

const KILOBYTES_OF_MB = 1024;
/** Types with rows, or with several inputs. */
const ARRAYS = new Set(['A', 'B', 'C', 'E', 'F', 'H', '1', ':', ';', 'Q', 'K']);
const CHOICES = new Set(['L', '!', 'O', 'M', 'P', 'R', 'Y', 'G']);

/** Adds the blocks of a question. Calculations (`*`) are not questions. */
export function askLimeQuestion(question: LimeQuestion, context: LimeContext): void {
  const { maker } = context;
  const { type, code, about } = question;
  const texts = textsOf(question, context);
  const ask: Ask = (ours, options = {}, choices) => {
    const placeholder = aroundAnswer(question);
    const all = {
      required: isRequired(question),
      ...options,
      ...defaultOf(question, ours, choices, context),
    };
    return maker.ask(
      code,
      ours,
      {
        ...texts,
        labels: choices?.words,
        ...(placeholder.text !== '' && ours !== 'slider' && { placeholder }),
      },
      all,
      choices,
    );
  };
  if (ARRAYS.has(type)) {
    askLimeArray(question, texts, context);
    return;
  }
  if (CHOICES.has(type)) {
    askLimeChoice(question, texts, context, ask);
    return;
  }
  switch (type) {
    case 'S':
    case 'T':
    case 'U':
      askText(question, context, ask);
      break;
    case 'N':
      ask('number', numberOptions(question));
      break;
    case 'D':
      askDate(question, context, ask);
      break;
    case '5':
      ask(...fivePoints(question));
      break;
    case '|':
      askFiles(question, context, ask);
      break;
    case 'X':
      tellText(question, texts, context);
      break;
    case 'I':
      maker.note(about, 'It is left out: people choose the language on the page of the form itself.');
      break;
    default:
      maker.note(about, `It is left out: there is no question of the kind “${type}” here.`);
  }
}

function tellText({ text, help }: LimeQuestion, texts: LimeTexts, { maker }: LimeContext): void {
  if (text.text === '') {
    maker.tell(help, (html) => html);
    return;
  }
  maker.tell(texts.name, (html) => html);
  maker.tell(texts.help);
}

function askText(question: LimeQuestion, { maker }: LimeContext, ask: Ask): void {
  const map = attribute(question, 'location_mapservice');
  if (question.type === 'S' && map !== '' && map !== '0') ask('location');
  else if (attribute(question, 'numbers_only') === '1') ask('number');
  else {
    const block = ask('text', {
      ...(question.type !== 'S' && { multi_lines: true }),
      ...textOptions(question),
    });
    if (question.type === 'S' && attribute(question, 'question_template') === 'browserdetect')
      maker.note(block.name, 'The browser filled it in. Here people do.');
  }
}

function askDate(question: LimeQuestion, { maker }: LimeContext, ask: Ask): void {
  const format = attribute(question, 'date_format');
  const hasTime = /h/i.test(format);
  if (hasTime && !/[dy]/i.test(format)) askTime(maker, question.code, ask('text'));
  else {
    const block = ask('date', hasTime ? { with_time: true } : {});
    if (format !== '' && !/d/i.test(format))
      maker.note(block.name, `It asked for a part of a date: ${format}. Here it asks for a day.`);
  }
}

function fivePoints(question: LimeQuestion): [type: string, options: Record<string, JsonValue>] {
  return attribute(question, 'slider_rating') === '1'
    ? ['rating', { rating_max_value: 5 }]
    : ['scale', { scale_min_value: 1, scale_max_value: 5, scale_step_value: 1 }];
}

function askFiles(question: LimeQuestion, { maker }: LimeContext, ask: Ask): void {
  const value = (name: string) => attribute(question, name);
  const most = countOf(value('max_num_of_files'));
  const least = numberOf(value('min_num_of_files')) ?? 0;
  const size = Math.floor((numberOf(value('max_filesize')) ?? 0) / KILOBYTES_OF_MB);
  const endings = value('allowed_filetypes')
    .split(/[\s,]+/)
    .filter(Boolean)
    .map((ending) => `.${ending.replace(/^\./, '')}`);
  const note = (text: string) => maker.note(question.about, text);
  ask('files', {
    ...(most !== 1 && { multiple: true }),
    ...(size >= 1 && { max_file_size: size }),
    ...fileTypes(endings, note),
    ...(least > 0 && { required: true }),
  });
  if (most !== undefined && most > 1) note(`It took at most ${most} files. Here it takes more.`);
  if (least > 1) note(`It took at least ${least} files. Here one is enough.`);
}

/** The initial answer; expressions are told. */
function defaultOf(
  question: LimeQuestion,
  type: string,
  choices: Choices | undefined,
  { maker }: LimeContext,
): Record<string, JsonValue> {
  const said = question.defaults.get('') ?? '';
  if (type === 'multi_select' && choices) {
    const codes = [...question.defaults].filter(([code, value]) => code !== '' && value === 'Y');
    const names = codes.flatMap(([code]) => choices.bySource.get(code) ?? []);
    return prefilled(names.length > 0 ? names : undefined);
  }
  if (said === '') return {};
  const prefill = prefillOf(type, said, choices);
  if (prefill === undefined) maker.note(question.about, `What it began with is left out: ${said}`);
  return prefill ?? {};
}
