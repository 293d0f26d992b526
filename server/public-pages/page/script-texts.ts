import { isBlank, isOn } from '../../../fields/block-options/options.ts';
import { exclusiveNames } from '../../../fields/choices/exclusive-options.ts';
import { fieldTypeOf } from '../../../fields/field-types.ts';
import { MANY_OPTIONS } from '../../../fields/html/controls/choices.ts';
import type { PageTexts } from '../../../fields/languages/language.ts';
import type { JsonValue, Property } from '../../../fields/property.ts';
import { questionsOf } from '../../../fields/repeated-questions.ts';
import type { Messages } from '../../../fields/texts/messages.ts';
import { CHOICE_TYPES, type InputType } from '../../../fields/type-names.ts';
import type { PublishedForm } from '../../submissions/published-form/published-form.ts';
import { takesWaiting } from './offline.ts';

type MessageKey = keyof Messages;
type TextKey = keyof PageTexts;

const NUMBERS: MessageKey[] = ['number', 'inexactNumber'];
/** Messages that the rules of a type may give on a page, besides `required`. */
const MESSAGES: Readonly<Record<string, readonly MessageKey[]>> = {
  text: ['maxCharacters'],
  barcode: ['validText', 'maxCharacters'],
  location: ['location'],
  rich_text: ['validText', 'maxCharacters'],
  number: [...NUMBERS, 'maxCharacters'],
  // A page offers only existing stars.
  rating: [...NUMBERS, 'integer', 'minValue', 'maxValue', 'ratingMissing'],
  scale: [...NUMBERS, 'minValue', 'maxValue', 'selectedInvalid'],
  slider: [...NUMBERS, 'minValue', 'maxValue', 'selectedInvalid'],
  select: ['selectedInvalid', 'maxCharacters'],
  multi_select: ['selectedInvalid'],
  checkbox: ['accepted'],
  date: ['date'],
  email: ['email', 'maxCharacters'],
  url: ['format', 'maxCharacters'],
  phone_number: [
    'validText',
    'minCharacters',
    'phoneTooShort',
    'phoneTooLong',
    'phoneCountry',
    'phoneInvalid',
    'maxCharacters',
    'maskMismatch',
  ],
  matrix: ['matrixInvalid', 'matrixMissing', 'matrixRequired'],
  ranking: ['selectedInvalid', 'rankingMissing', 'rankingRepeated', 'rankingPlaceTaken'],
  repeat: ['list', 'maxItems', 'minItems'],
  files: ['maxItems', 'fileInvalid', 'fileTooLarge', 'fileType'],
  signature: ['validText', 'format', 'maxCharacters', 'fileTooLarge', 'fileInvalid', 'fileType'],
  payment: [],
  computed: [],
} satisfies Record<InputType, readonly MessageKey[]>;
/** Further messages that are possible only if an option is set. */
const BY_OPTION: readonly [option: string, keys: readonly MessageKey[]][] = [
  ['date_range', ['list', 'maxItems', 'fromDateRequired', 'toDateRequired', 'fromDateAfterToDate']],
  ['disable_past_dates', ['dateAfterYesterday']],
  ['disable_future_dates', ['dateBeforeTomorrow']],
  ['input_mask', ['maskMismatch']],
  ['number_min_value', ['minValue']],
  ['number_max_value', ['maxValue']],
  ['whole_number', ['integer']],
  ['min_selection', ['minSelection']],
  ['max_selection', ['maxSelection']],
  ['validation', ['customInvalid']],
];

/** Keys of the messages that answers of this form may get. */
export function messageKeysOf(properties: readonly Property[]): MessageKey[] {
  const keys = new Set<MessageKey>(['required']);
  for (const property of withQuestions(properties)) {
    const type = fieldTypeOf(property.type).name;
    for (const key of MESSAGES[type] ?? []) keys.add(key);
    for (const [option, more] of BY_OPTION)
      if (isSet(property[option])) for (const key of more) keys.add(key);
    if (exclusiveNames(property).size > 0) keys.add('exclusiveOption');
  }
  return [...keys];
}

/** Zero is a limit, too. */
function isSet(value: JsonValue | undefined): boolean {
  return !isBlank(value) && value !== false;
}

/** The blocks, with the questions of repeating ones. */
function withQuestions(properties: readonly Property[]): Property[] {
  return properties.flatMap((property) => [property, ...questionsOf(property)]);
}

const ALWAYS: TextKey[] = [
  'error',
  'errorSummary',
  'sending',
  'sendFailed',
  'offline',
  'tooMany',
  'tryAgain',
];
const STEPS: TextKey[] = ['previous'];
const SAVED: TextKey[] = ['restored', 'startOver', 'startOverConfirm', 'cancel'];
const PARTIAL: TextKey[] = ['saved', 'continueLater', 'continueLaterHelp', 'copyLink', 'copied'];
const OFFLINE: TextKey[] = [
  'keptForLater',
  'waitingResponses',
  'sendNow',
  'keptSent',
  'keptRefused',
  'correct',
  'discard',
  'discardConfirm',
  'payTitle',
  'startOverConfirm',
  'cancel',
];
const CAPTCHA: TextKey[] = ['captchaLabel', 'captchaWorking', 'captchaDone', 'captchaFailed', 'tryAgain'];
const FILES: TextKey[] = [
  'chooseFile',
  'chooseFiles',
  'dropFiles',
  'takePhoto',
  'uploading',
  'uploadFailed',
  'uploadsPending',
  'fileChanged',
  'uploadedFile',
  'fileTooLarge',
  'fileEmpty',
  'fileTypeRefused',
  'oneFileOnly',
  'remove',
];
const LISTS: TextKey[] = ['search', 'noMatch', 'addOption', 'results', 'listHint', 'choose', 'selected'];
/** Texts shown by the parts of the script for a type. */
const TEXTS: Readonly<Record<string, readonly TextKey[]>> = {
  phone_number: ['phoneCountry', 'search', 'noMatch', 'results', 'listHint'],
  rich_text: [
    'formatting',
    'bold',
    'italic',
    'underline',
    'heading',
    'bulletList',
    'numberedList',
    'link',
    'linkAddress',
    'removeLink',
  ],
  files: FILES,
  signature: [
    ...FILES,
    'drawSignature',
    'typeSignature',
    'uploadSignature',
    'signatureArea',
    'undo',
    'clear',
  ],
  slider: ['clear'],
  repeat: ['remove'],
  ranking: ['rankingKeys', 'moveUp', 'moveDown', 'movedTo', 'orderIsRight'],
  location: ['findLocation', 'findingLocation', 'locationFound', 'noLocation'],
  barcode: ['scan', 'stopScan', 'scanHint', 'scanned', 'noCamera'],
};

/** Texts, and whether they are needed. */
type Need = readonly [isNeeded: boolean, keys: readonly TextKey[]];

/** Keys of the texts that the script may show on this form's page. */
export function textKeysOf(form: PublishedForm, mentioned: ReadonlySet<string>): TextKey[] {
  const ofFields = withQuestions(form.properties).flatMap((property) =>
    needsOfField(property, mentioned.has(property.id)),
  );
  const needed = [...needsOfForm(form), ...ofFields].flatMap(([isNeeded, keys]) => (isNeeded ? keys : []));
  return [...new Set([...ALWAYS, ...needed])];
}

function needsOfForm(form: PublishedForm): Need[] {
  const { presentation, properties, takesPartials } = form;
  const isFocused = presentation.presentation_style === 'focused';
  return [
    [isFocused || properties.some(({ type }) => fieldTypeOf(type).name === 'nf-page-break'), STEPS],
    [presentation.show_progress_bar, ['progress']],
    [isFocused, ['pressEnter']],
    [isFocused || presentation.settings.navigation_arrows === true, ['next', 'previous']],
    [presentation.auto_save || takesPartials, SAVED],
    [takesPartials, PARTIAL],
    [takesWaiting(form), OFFLINE],
    [form.useCaptcha, CAPTCHA],
    [form.closesAt !== null, ['openUntil']],
  ];
}

/** @param isMentioned whether a text repeats its answer */
function needsOfField(property: Property, isMentioned: boolean): Need[] {
  const type = fieldTypeOf(property.type).name;
  return [
    [isMentioned && [property, ...questionsOf(property)].some(isCheckbox), ['yes', 'no']],
    [true, TEXTS[type] ?? []],
    [mayBeSearched(property, type), LISTS],
    [exclusiveNames(property).size > 0, ['noLongerChosen']],
    [isOn(property.show_char_limit), ['charactersLeft', 'charactersOver']],
    [isOn(property.secret_input), ['showSecret', 'hideSecret']],
  ];
}

function mayBeSearched(property: Property, type: string): boolean {
  if (!CHOICE_TYPES.includes(type)) return false;
  const own = property[type] as { options?: unknown } | undefined;
  const options = own?.options ?? property.options;
  return Array.isArray(options) && options.length > MANY_OPTIONS;
}

function isCheckbox({ type }: Property): boolean {
  return fieldTypeOf(type).name === 'checkbox';
}
