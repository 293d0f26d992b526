import { stringList } from '../../fields/block-options/options.ts';
import { optionNames } from '../../fields/choices/choices.ts';
import type { Ending } from '../../fields/logic/endings.ts';
import { isNeverShown } from '../../fields/logic/shown.ts';
import type { Property } from '../../fields/property.ts';
import { questionsOf as repeatedQuestions } from '../../fields/repeated-questions.ts';
import type { BLOCK_TEXTS, ENDING_TEXTS, FORM_TEXTS } from '../../fields/texts/translations.ts';
import { canonicalTypeName, isLayoutBlock, OPTION_TYPES } from '../../fields/type-names.ts';
import { questionOptions } from '../form-builder/blocks/questions.ts';
import { contentOptions } from '../form-builder/options/block-options.ts';
import type { Values } from '../settings/setting.ts';

type FormText = (typeof FORM_TEXTS)[number];
type BlockText = (typeof BLOCK_TEXTS)[number];

/**
 * The place of a text in a translation. `labels` are identified by the names in answers; `question` is one that a block repeats.
 */
export type Place =
  | { member: FormText; ending?: never; block?: never; question?: never; name?: never }
  | { member: (typeof ENDING_TEXTS)[number]; ending: string; block?: never; question?: never; name?: never }
  | { member: BlockText; ending?: never; block: string; question?: string; name?: never }
  | { member: 'labels'; ending?: never; block: string; question?: string; name: string };

/** A translatable text that visitors read. */
export interface Text {
  /** Unique among the texts of the form. */
  key: string;
  place: Place;
  /** The kind of text, such as `Help`. */
  label: string;
  original: string;
  kind: 'line' | 'long' | 'html';
  maxLength?: number | undefined;
}

/** The texts of the form itself, or of a block. */
export interface TextGroup {
  block: Property | null;
  texts: Text[];
}

/** The translatable parts of a form, including unpublished and unsaved ones. */
export type Wording = Pick<
  Values,
  FormText | 'endings' | 're_fillable' | 'editable_submissions' | 'max_submissions_count'
> & { properties: readonly Property[] };

/** Default texts of new forms, which the page has in every language as long as they are not changed. */
export const SAID_BY_THEMSELVES: Partial<Record<FormText, string>> = {
  submitted_text: 'Thank you! Your answers have been saved.',
  max_submissions_reached_text:
    'This form has received all the submissions it was made for and is closed now.',
  editable_submissions_button_text: 'Edit submission',
};

/** Longer texts get several lines to write in. */
const LINE = 60;
/** Characters, as for the original texts. */
const BUTTON = 50;
const HTML = 10_000;

/** All visible texts of a form, in the order in which visitors meet them; without empty groups. */
export function textsOf(form: Wording): TextGroup[] {
  return [
    { block: null, texts: formTexts(form) },
    ...form.properties.map((block) => ({ block, texts: isNeverShown(block) ? [] : blockTexts(block) })),
  ].filter(({ texts }) => texts.length > 0);
}

function formTexts(form: Wording): Text[] {
  const own = (member: FormText, label: string, maxLength: number, kind?: 'html') => {
    const original = form[member];
    return original === SAID_BY_THEMSELVES[member]
      ? []
      : text({ member }, label, original, kind).map((one) => ({ ...one, maxLength }));
  };
  return [
    ...own('title', 'Title', 255),
    ...own('description', 'Description', 2_000),
    ...own('submit_button_text', 'Button to send', BUTTON),
    ...own('submitted_text', 'Thank-you text', HTML, 'html'),
    ...form.endings.flatMap((ending) => endingTexts(ending as Ending)),
    ...(form.re_fillable ? own('re_fill_button_text', 'Button to fill it in again', BUTTON) : []),
    ...(form.editable_submissions
      ? own('editable_submissions_button_text', 'Button to change answers', BUTTON)
      : []),
    ...own('closed_text', 'Text once it is closed', HTML, 'html'),
    ...(form.max_submissions_count === null
      ? []
      : own('max_submissions_reached_text', 'Text once it is full', HTML, 'html')),
  ];
}

function endingTexts({ id, name, submitted_text: original }: Ending): Text[] {
  const place = { member: 'submitted_text', ending: id } as const;
  return text(place, `Thank-you text of “${name}”`, original, 'html').map((one) => ({
    ...one,
    maxLength: HTML,
  }));
}

function blockTexts(block: Property): Text[] {
  const own = (member: BlockText, label: string, original: unknown, kind?: 'html') =>
    text({ member, block: block.id }, label, original, kind);
  switch (canonicalTypeName(block.type)) {
    case 'nf-text':
      return own('content', 'Text', block.content, 'html');
    case 'nf-page-break':
      return [
        ...own('previous_btn_text', 'Button that goes back', block.previous_btn_text),
        ...own('next_btn_text', 'Button that goes on', block.next_btn_text),
      ];
    case 'nf-video':
    case 'nf-audio':
    case 'nf-code':
      return own('name', 'Name, which is read out', block.name);
  }
  // The names of dividers and images are only for the builder.
  if (isLayoutBlock(block.type)) return [];
  const takesPlaceholder = contentOptions(block).some(({ key }) => key === 'placeholder');
  return [
    ...own('name', 'Question', block.name),
    ...own('help', 'Help', block.help, 'html'),
    ...(takesPlaceholder ? own('placeholder', 'Placeholder', block.placeholder) : []),
    ...labels(block),
    ...repeated(block),
    ...(canonicalTypeName(block.type) === 'scale'
      ? [
          ...own('scale_min_label', 'Words for the lowest', block.scale_min_label),
          ...own('scale_max_label', 'Words for the highest', block.scale_max_label),
        ]
      : []),
    ...(block.validation?.error_conditions
      ? own('error_message', 'Message of the validation', block.validation.error_message)
      : []),
  ];
}

function labels(block: Property): Text[] {
  const type = canonicalTypeName(block.type);
  const names: [string, string][] =
    type === 'matrix'
      ? [
          ...stringList(block.rows).map((name): [string, string] => ['Row', name]),
          ...stringList(block.columns).map((name): [string, string] => ['Column', name]),
        ]
      : OPTION_TYPES.includes(type)
        ? optionNames(block, type).map((name): [string, string] => ['Option', name])
        : [];
  // Equal names share one translation.
  const first = names.filter(([, name], index) => names.findIndex((one) => one[1] === name) === index);
  return first.flatMap(([label, name]) => text({ member: 'labels', block: block.id, name }, label, name));
}

/** The texts of questions that a block repeats. */
function repeated(block: Property): Text[] {
  if (canonicalTypeName(block.type) !== 'repeat') return [];
  const questions = repeatedQuestions(block).flatMap((question, index) => {
    const takesPlaceholder = questionOptions(question).some(({ key }) => key === 'placeholder');
    const own = (member: BlockText, label: string, original: unknown) =>
      text({ member, block: block.id, question: question.id }, label, original);
    return [
      ...own('name', `Question ${index + 1}`, question.name),
      ...own('help', `Help of question ${index + 1}`, question.help),
      ...(takesPlaceholder
        ? own('placeholder', `Placeholder of question ${index + 1}`, question.placeholder)
        : []),
      ...labels(question).flatMap(({ place, original }) =>
        text(
          { member: 'labels', block: block.id, question: question.id, name: place.name ?? '' },
          `Option of question ${index + 1}`,
          original,
        ),
      ),
    ];
  });
  return [
    ...text({ member: 'entry_name', block: block.id }, 'What an entry is called', block.entry_name),
    ...questions,
  ];
}

/** None for an empty text. */
function text(place: Place, label: string, original: unknown, kind?: 'html'): Text[] {
  if (typeof original !== 'string' || isBlank(original, kind)) return [];
  const isLong = original.length > LINE || original.includes('\n') || place.member === 'description';
  const { ending, block = '', question, member, name } = place;
  const parts = [
    block,
    ...(ending === undefined ? [] : ['endings', ending]),
    ...(question === undefined ? [] : ['questions', question]),
    member,
  ];
  const key = JSON.stringify(name === undefined ? parts : [...parts, name]);
  return [{ key, place, label, original, kind: kind ?? (isLong ? 'long' : 'line') }];
}

function isBlank(original: string, kind: 'html' | undefined): boolean {
  const read = kind === 'html' ? original.replace(/<[^<>]*>|&nbsp;/g, '') : original;
  return read.trim() === '';
}
