import type { JsonObject, Property } from '../../fields/property.ts';
import { type Choices, choicesOf, optionsOf } from './choices.ts';
import { askTime } from './clock.ts';
import { fileTypes } from './file-types.ts';
import type { ImportedForm } from './imported.ts';
import { addressOf, countOf, listOf, numberOf, objectOf, objectsOf, tableOf, textOf } from './json.ts';
import { type Maker, makeForm } from './maker.ts';
import { withEnds } from './scale-help.ts';
import { asHtml, heading, inOneLanguage } from './words.ts';

/** Matches nothing: texts of Google Forms mention no answers. */
const NO_PIPE = /(?!)/g;
const BYTES_OF_MB = 1024 * 1024;
const UNKNOWN = 'It is left out: it is of a kind that is not known here.';

export function isGoogleForm({ items, info }: JsonObject): boolean {
  return Array.isArray(items) && (info !== undefined || objectsOf(items).some((item) => 'itemId' in item));
}

/** A form from `forms.get` of the Google Forms API. */
export function fromGoogleForms(source: JsonObject): ImportedForm {
  const maker = makeForm(NO_PIPE);
  const info = objectOf(source.info);
  const settings = objectOf(source.settings);
  if (objectOf(settings.quizSettings).isQuiz === true)
    maker.note('', 'It is a quiz: points and right answers are left out.');
  const collects = textOf(settings.emailCollectionType);
  if (collects === 'VERIFIED' || collects === 'RESPONDER_INPUT') {
    maker.ask('email_address', 'email', { name: inOneLanguage('Email Address') }, { required: true });
    if (collects === 'VERIFIED')
      maker.note(
        'Email Address',
        'Google took it from who was signed in. Here it is asked, and not verified.',
      );
  }
  for (const item of objectsOf(source.items)) addItem(maker, item);
  return maker.finish(textOf(info.title) || textOf(info.documentTitle), {
    ...(textOf(info.description) !== '' && { description: textOf(info.description) }),
  });
}

/** The texts of an item. */
interface Told {
  title: string;
  description: string;
}

type AddItem = (maker: Maker, content: JsonObject, told: Told) => void;

/** Kinds of items; an item has one of these members. */
const ITEMS = tableOf<AddItem>({
  questionItem: addQuestion,
  questionGroupItem: askGrid,
  pageBreakItem: addPageBreak,
  imageItem: addImage,
  videoItem: addVideo,
  textItem: (maker, _content, told) => tell(maker, told),
});

function addItem(maker: Maker, item: JsonObject): void {
  const told = { title: textOf(item.title), description: textOf(item.description) };
  const kind = kindOf(item, ITEMS);
  if (kind) kind.add(maker, kind.content, told);
  else maker.note(told.title, UNKNOWN);
}

/** How a table adds an object, by the member that gives its kind. */
function kindOf<T>(object: JsonObject, table: Readonly<Record<string, T>>) {
  const found = Object.entries(table).find(([key]) => key in object);
  return found && { add: found[1], content: objectOf(object[found[0]]) };
}

function tell(maker: Maker, { title, description }: Told): void {
  maker.tell(inOneLanguage(title || description), () => heading(title) + asHtml(description));
}

function addPageBreak(maker: Maker, _content: JsonObject, told: Told): void {
  maker.breakPage(inOneLanguage(told.title));
  tell(maker, told);
}

function addImage(maker: Maker, { image }: JsonObject, told: Told): void {
  const { sourceUri, altText } = objectOf(image);
  const address = addressOf(sourceUri);
  if (told.title !== '') tell(maker, told);
  if (address === undefined) pictureGone(maker, told.title);
  else maker.show('nf-image', address, textOf(altText) || told.title);
}

function addVideo(maker: Maker, { video }: JsonObject, told: Told): void {
  const address = addressOf(objectOf(video).youtubeUri);
  if (told.title !== '') tell(maker, told);
  if (address !== undefined) maker.show('nf-video', address, told.title || 'Video');
}

function pictureGone(maker: Maker, about: string): void {
  maker.note(about, 'Its picture is left out: Google gives its address for half an hour only.');
}

type Ask = (type: string, options?: Parameters<Maker['ask']>[3], choices?: Choices) => Property;

/** A question whose block is added by `ask`. */
interface Question {
  maker: Maker;
  id: string;
  about: string;
  ask: Ask;
}

/** Kinds of questions; a question has one of these members. */
const QUESTIONS = tableOf<(content: JsonObject, question: Question) => Property>({
  textQuestion: ({ paragraph }, { ask }) => ask('text', paragraph === true ? { multi_lines: true } : {}),
  choiceQuestion: askChoice,
  scaleQuestion: askScale,
  ratingQuestion: ({ ratingScaleLevel }, { ask }) =>
    ask('rating', { rating_max_value: countOf(ratingScaleLevel) ?? 5 }),
  dateQuestion: askDate,
  timeQuestion: ({ duration }, { maker, id, ask }) => askTime(maker, id, ask('text'), duration === true),
  fileUploadQuestion: askFiles,
});

function addQuestion(
  maker: Maker,
  { question: given, image }: JsonObject,
  { title, description }: Told,
): void {
  const question = objectOf(given);
  const id = textOf(question.questionId);
  const texts = { name: inOneLanguage(title), help: inOneLanguage(description) };
  const ask: Ask = (type, options = {}, choices) =>
    maker.ask(id, type, texts, { required: question.required === true, ...options }, choices);
  const kind = kindOf(question, QUESTIONS);
  if (!kind) {
    maker.note(title, UNKNOWN);
    return;
  }
  const block = kind.add(kind.content, { maker, id, about: title, ask });
  if ('contentUri' in objectOf(image)) pictureGone(maker, block.name);
}

function askScale({ low, high, lowLabel, highLabel }: JsonObject, { maker, ask }: Question): Property {
  const options = { scale_min_value: numberOf(low) ?? 0, scale_max_value: numberOf(high) ?? 5 };
  const [least, most] = [inOneLanguage(textOf(lowLabel)), inOneLanguage(textOf(highLabel))];
  return withEnds(maker, ask('scale', options), least, most);
}

function askDate({ includeTime, includeYear }: JsonObject, { maker, about, ask }: Question): Property {
  if (includeYear === false)
    maker.note(about, 'It asked for a day without a year; here the year belongs to it.');
  return ask('date', includeTime === true ? { with_time: true } : {});
}

function askFiles({ maxFiles, maxFileSize, types }: JsonObject, { maker, about, ask }: Question): Property {
  const size = (numberOf(maxFileSize) ?? 0) / BYTES_OF_MB;
  const kinds = listOf(types)
    .map(textOf)
    .filter((type) => type !== 'ANY');
  return ask('files', {
    ...((countOf(maxFiles) ?? 1) > 1 && { multiple: true }),
    ...(size >= 1 && { max_file_size: Math.floor(size) }),
    ...fileTypes(kinds, (text) => maker.note(about, text)),
  });
}

function askChoice(choice: JsonObject, { maker, about, ask }: Question): Property {
  const options = objectsOf(choice.options);
  const choices = namesIn(options);
  const type = choice.type === 'CHECKBOX' ? 'multi_select' : 'select';
  if (options.some(({ image }) => image !== undefined)) pictureGone(maker, about);
  const leadsElsewhere = ({ goToAction, goToSectionId }: JsonObject) =>
    textOf(goToSectionId) !== '' || /^(RESTART|SUBMIT)_FORM$/.test(textOf(goToAction));
  if (options.some(leadsElsewhere))
    maker.note(
      about,
      'Its answers led to sections. Give those pages logic: their options say when they are shown.',
    );
  const block = ask(
    type,
    {
      ...optionsOf(type, choices),
      ...(choice.type === 'RADIO' && { without_dropdown: true }),
      ...(options.some(({ isOther }) => isOther === true) && { allow_creation: true }),
    },
    choices,
  );
  return maker.shuffle(block, choice.shuffle === true);
}

/** "Other" is not an option here: people type their own. */
function namesIn(options: readonly JsonObject[]): Choices {
  const named = options.filter(({ isOther }) => isOther !== true).map(({ value }) => textOf(value));
  return choicesOf(
    named.map(inOneLanguage),
    named.map((name) => [name]),
  );
}

/** In a grid of checkboxes a row has several answers, so each row becomes a question, named like the column of its answers. */
function askGrid(maker: Maker, group: JsonObject, { title, description }: Told): void {
  const columns = objectOf(objectOf(group.grid).columns);
  const choices = namesIn(objectsOf(columns.options));
  const rows = objectsOf(group.questions);
  const required = rows.some((row) => row.required === true);
  const help = inOneLanguage(description);
  if (objectOf(group.grid).shuffleQuestions === true)
    maker.note(title, 'Its rows were shuffled. Here they stand in their order.');
  const rowName = (row: JsonObject) => textOf(objectOf(row.rowQuestion).title);
  if (columns.type === 'CHECKBOX') {
    for (const row of rows) {
      const name = inOneLanguage(`${title} [${rowName(row)}]`);
      const options = { required: row.required === true, ...optionsOf('multi_select', choices) };
      maker.ask(textOf(row.questionId), 'multi_select', { name, help }, options, choices);
    }
    return;
  }
  if (required && rows.some((row) => row.required !== true))
    maker.note(title, 'Some of its rows were required. Here all are.');
  const named = choicesOf(
    rows.map((row) => inOneLanguage(rowName(row))),
    [],
  );
  maker.ask(
    textOf(rows[0]?.questionId),
    'matrix',
    { name: inOneLanguage(title), help },
    { required, rows: named.names, columns: choices.names },
  );
}
