import type { JsonObject, JsonValue, Property } from '../../../fields/property.ts';
import { type Choices, choicesOf, optionsOf } from '../choices.ts';
import { addressOf, countOf, listOf, numberOf, objectOf, objectsOf, tableOf, textOf } from '../json.ts';
import type { Maker } from '../maker.ts';
import { scaleHelp, withEnds } from '../scale-help.ts';
import { asHtml, asName, heading, inOneLanguage, joined, type Words, wordsOr } from '../words.ts';

type Read = (value: unknown) => Words;
type Ask = (ours: string, options?: Parameters<Maker['ask']>[3], choices?: Choices, help?: Words) => Property;

const TEXTS = tableOf<string>({
  email: 'email',
  url: 'url',
  number: 'number',
  phone: 'phone_number',
});
/** Parts of an address or of contact data, with their names, and what browsers fill into texts. */
const PARTS: readonly (readonly [key: string, name: string, type: string, autocomplete?: string])[] = [
  ['firstName', 'First name', 'text', 'given-name'],
  ['lastName', 'Last name', 'text', 'family-name'],
  ['email', 'E-mail', 'email'],
  ['phone', 'Phone', 'phone_number'],
  ['company', 'Company', 'text', 'organization'],
  ['addressLine1', 'Address line 1', 'text', 'address-line1'],
  ['addressLine2', 'Address line 2', 'text', 'address-line2'],
  ['city', 'City', 'text', 'address-level2'],
  ['state', 'State', 'text', 'address-level1'],
  ['zip', 'Postal code', 'text', 'postal-code'],
  ['country', 'Country', 'text', 'country-name'],
];

export function askFormbricksElement(maker: Maker, element: JsonObject, read: Read): void {
  const type = textOf(element.type);
  const name = read(element.headline);
  const help = textBelow(element, read);
  const ask: Ask = (ours, options = {}, choices, more = help) => {
    const video = addressOf(element.videoUrl);
    if (video !== undefined) maker.show('nf-video', video, asName(name.text));
    const placeholder = read(element.placeholder);
    const labels = choices?.words;
    const block = maker.ask(
      textOf(element.id),
      ours,
      { name, help: more, ...(placeholder.text !== '' && { placeholder }), labels },
      { required: element.required === true, ...options },
      choices,
    );
    const picture = addressOf(element.imageUrl);
    if (picture !== undefined) block.image = { url: picture, layout: 'between' };
    return shuffled(maker, block, element);
  };
  switch (type) {
    case 'openText':
      askText(maker, element, name.text, ask);
      break;
    case 'multipleChoiceSingle':
    case 'multipleChoiceMulti':
    case 'ranking':
      askChoice(element, read, ask);
      break;
    case 'pictureSelection':
      askPictures(element, ask);
      break;
    case 'rating':
    case 'csat':
    case 'ces':
    case 'nps':
      askScale(maker, element, read, ask);
      break;
    case 'consent':
      ask(
        'checkbox',
        {},
        undefined,
        joined(help, read(element.label), (text, label) => asHtml(text) + asHtml(label)),
      );
      break;
    case 'date':
      ask('date');
      break;
    case 'fileUpload':
      ask('files', filesOf(element));
      break;
    case 'matrix':
      askMatrix(maker, element, read, { name, help });
      break;
    case 'address':
    case 'contactInfo':
      askParts(maker, element, name, help);
      break;
    case 'cta':
      tellBelow(maker, name, help);
      if (addressOf(element.buttonUrl) !== undefined)
        maker.note(name.text, `Its button is left out. It led to ${textOf(element.buttonUrl)}.`);
      break;
    default:
      maker.note(name.text, `It is left out: there is no question of the kind “${type}” here.`);
  }
}

/** The text below a headline, which has one of two names. */
export function textBelow({ subheader, html }: JsonObject, read: Read): Words {
  const text = read(subheader);
  return text.text === '' ? read(html) : text;
}

/** Adds a text block with a heading. */
export function tellBelow(maker: Maker, title: Words, text: Words): void {
  const html = joined(title, text, (head, body) => heading(head) + asHtml(body));
  maker.tell(html, (said) => said, wordsOr(title, text.text));
}

function askText(maker: Maker, element: JsonObject, about: string, ask: Ask): void {
  const { min, max } = objectOf(element.charLimit);
  if (countOf(min) !== undefined || objectsOf(objectOf(element.validation).rules).length > 0)
    maker.note(about, 'What is checked of its answer is left out.');
  const type = TEXTS[textOf(element.inputType)];
  if (type !== undefined) {
    ask(type);
    return;
  }
  const most = countOf(max);
  ask('text', {
    ...(element.longAnswer === true && { multi_lines: true }),
    ...(most !== undefined && { max_char_limit: most }),
  });
}

function askScale(maker: Maker, element: JsonObject, read: Read, ask: Ask): void {
  const [min, max] = element.type === 'nps' ? [0, 10] : [1, countOf(element.range) ?? 5];
  const [low, high] = [read(element.lowerLabel), read(element.upperLabel)];
  if (element.scale === 'star') {
    const help = scaleHelp(read(element.subheader), [
      [min, low],
      [max, high],
    ]);
    ask('rating', { rating_max_value: max }, undefined, help);
  } else withEnds(maker, ask('scale', { scale_min_value: min, scale_max_value: max }), low, high);
}

function filesOf(element: JsonObject): Record<string, JsonValue> {
  const size = numberOf(element.maxSizeInMB);
  const kinds = listOf(element.allowedFileExtensions).map(textOf).filter(Boolean);
  return {
    ...(element.allowMultipleFiles === true && { multiple: true }),
    ...(size !== undefined && size >= 1 && { max_file_size: size }),
    ...(kinds.length > 0 && { allowed_file_types: kinds.join(', ') }),
  };
}

/** If "other" is among the options it is the last one; here that is a text people type. */
function shuffled(maker: Maker, block: Property, { shuffleOption, choices }: JsonObject): Property {
  const order = textOf(shuffleOption);
  const hasOther = objectsOf(choices).some(({ id }) => id === 'other');
  if (order === 'exceptLast' && !hasOther) return maker.shuffle(block, true, 'except_last');
  if (order === 'all' || order === 'exceptLast') return maker.shuffle(block, true);
  if (order !== '' && order !== 'none')
    maker.note(block.name, 'Its choices stood the other way round for some. Here they stand in their order.');
  return block;
}

/** The last choice may be for a typed text. */
function askChoice(element: JsonObject, read: Read, ask: Ask): void {
  const all = objectsOf(element.choices);
  const listed = all.filter(({ id }) => id !== 'other');
  const choices = choicesOf(
    listed.map(({ label }) => read(label)),
    listed.map(({ id, label }) => [textOf(id), read(label).text]),
  );
  if (element.type === 'ranking') {
    ask('ranking', optionsOf('ranking', choices), choices);
    return;
  }
  const type = element.type === 'multipleChoiceMulti' ? 'multi_select' : 'select';
  const isOpen = type === 'select' && element.displayType !== 'dropdown';
  ask(
    type,
    {
      ...optionsOf(type, choices),
      ...(isOpen && { without_dropdown: true }),
      ...(listed.length < all.length && { allow_creation: true }),
    },
    choices,
  );
}

function askPictures(element: JsonObject, ask: Ask): void {
  const pictures = objectsOf(element.choices);
  const choices = choicesOf(
    pictures.map((_, index) => inOneLanguage(`Picture ${index + 1}`)),
    pictures.map(({ id }) => [textOf(id)]),
  );
  const type = element.allowMulti === true ? 'multi_select' : 'select';
  const images = pictures.map(({ imageUrl }) => addressOf(imageUrl));
  const hasImages = images.every((image) => image !== undefined);
  ask(
    type,
    {
      ...optionsOf(type, choices, hasImages ? images : []),
      ...(hasImages && { option_display_mode: 'text_and_image' }),
      ...(type === 'select' && { without_dropdown: true }),
    },
    choices,
  );
}

function askMatrix(maker: Maker, element: JsonObject, read: Read, texts: { name: Words; help: Words }): void {
  const named = (key: 'rows' | 'columns') =>
    choicesOf(
      listOf(element[key]).map((one) => read(objectOf(one).label ?? one)),
      [],
    );
  const [rows, columns] = [named('rows'), named('columns')];
  const options = { required: element.required === true, rows: rows.names, columns: columns.names };
  maker.ask(textOf(element.id), 'matrix', { ...texts, labels: [...rows.words, ...columns.words] }, options);
}

function askParts(maker: Maker, element: JsonObject, name: Words, help: Words): void {
  tellBelow(maker, name, help);
  for (const [key, part, type, autocomplete] of PARTS) {
    const { show, required } = objectOf(element[key]);
    if (show !== true) continue;
    const options = { required: required === true, ...(autocomplete !== undefined && { autocomplete }) };
    maker.ask(`${textOf(element.id)}.${key}`, type, { name: inOneLanguage(part) }, options);
  }
}
