import type { JsonObject, Property } from '../../fields/property.ts';
import { askTime } from './clock.ts';
import { fileTypes } from './file-types.ts';
import type { ImportedForm } from './imported.ts';
import { addressOf, countOf, listOf, numberOf, objectOf, objectsOf, textOf } from './json.ts';
import { type Choices, choicesOf, type Maker, makeForm, optionsOf } from './maker.ts';
import { withEnds } from './scale-help.ts';
import { asHtml, heading, inOneLanguage, type Words } from './words.ts';

/** Matches nothing: texts of Google Forms mention no answers. */
const NO_PIPE = /(?!)/g;
const BYTES_OF_MB = 1024 * 1024;

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

function addItem(maker: Maker, item: JsonObject): void {
  const title = textOf(item.title);
  const description = textOf(item.description);
  const told = () =>
    maker.tell(inOneLanguage(title || description), () => heading(title) + asHtml(description));
  if ('questionItem' in item) {
    const { question, image } = objectOf(item.questionItem);
    const block = askQuestion(maker, objectOf(question), inOneLanguage(title), inOneLanguage(description));
    if (block && 'contentUri' in objectOf(image)) pictureGone(maker, block.name);
  } else if ('questionGroupItem' in item)
    askGrid(maker, objectOf(item.questionGroupItem), title, description);
  else if ('pageBreakItem' in item) {
    maker.breakPage(inOneLanguage(title));
    told();
  } else if ('imageItem' in item) {
    const { sourceUri, altText } = objectOf(objectOf(item.imageItem).image);
    const address = addressOf(sourceUri);
    if (title !== '') told();
    if (address === undefined) pictureGone(maker, title);
    else maker.show('nf-image', address, textOf(altText) || title);
  } else if ('videoItem' in item) {
    const address = addressOf(objectOf(objectOf(item.videoItem).video).youtubeUri);
    if (title !== '') told();
    if (address !== undefined) maker.show('nf-video', address, title || 'Video');
  } else if ('textItem' in item) told();
  else maker.note(title, 'It is left out: it is of a kind that is not known here.');
}

function pictureGone(maker: Maker, about: string): void {
  maker.note(about, 'Its picture is left out: Google gives its address for half an hour only.');
}

function askQuestion(maker: Maker, question: JsonObject, name: Words, help: Words): Property | null {
  const ask = (type: string, options: Parameters<Maker['ask']>[3] = {}, choices?: Choices, more = help) =>
    maker.ask(
      textOf(question.questionId),
      type,
      { name, help: more },
      { required: question.required === true, ...options },
      choices,
    );
  if ('textQuestion' in question)
    return ask('text', objectOf(question.textQuestion).paragraph === true ? { multi_lines: true } : {});
  if ('choiceQuestion' in question)
    return askChoice(maker, objectOf(question.choiceQuestion), name.text, ask);
  if ('scaleQuestion' in question) {
    const scale = objectOf(question.scaleQuestion);
    const low = numberOf(scale.low) ?? 0;
    const high = numberOf(scale.high) ?? 5;
    const [least, most] = [inOneLanguage(textOf(scale.lowLabel)), inOneLanguage(textOf(scale.highLabel))];
    return withEnds(maker, ask('scale', { scale_min_value: low, scale_max_value: high }), least, most);
  }
  if ('ratingQuestion' in question)
    return ask('rating', {
      rating_max_value: countOf(objectOf(question.ratingQuestion).ratingScaleLevel) ?? 5,
    });
  if ('dateQuestion' in question) {
    const { includeTime, includeYear } = objectOf(question.dateQuestion);
    if (includeYear === false)
      maker.note(name.text, 'It asked for a day without a year; here the year belongs to it.');
    return ask('date', includeTime === true ? { with_time: true } : {});
  }
  if ('timeQuestion' in question) {
    const isDuration = objectOf(question.timeQuestion).duration === true;
    return askTime(maker, textOf(question.questionId), ask('text'), isDuration);
  }
  if ('fileUploadQuestion' in question) {
    const { maxFiles, maxFileSize, types } = objectOf(question.fileUploadQuestion);
    const size = (numberOf(maxFileSize) ?? 0) / BYTES_OF_MB;
    return ask('files', {
      ...((countOf(maxFiles) ?? 1) > 1 && { multiple: true }),
      ...(size >= 1 && { max_file_size: Math.floor(size) }),
      ...fileTypes(
        listOf(types)
          .map(textOf)
          .filter((type) => type !== 'ANY'),
        (text) => maker.note(name.text, text),
      ),
    });
  }
  maker.note(name.text, 'It is left out: it is of a kind that is not known here.');
  return null;
}

type Ask = (type: string, options: Parameters<Maker['ask']>[3], choices: Choices) => Property;

function askChoice(maker: Maker, choice: JsonObject, about: string, ask: Ask): Property {
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
function askGrid(maker: Maker, group: JsonObject, title: string, description: string): void {
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
