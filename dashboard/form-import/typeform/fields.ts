import type { JsonObject, Property } from '../../../fields/property.ts';
import { type Choices, choicesOf, optionsOf } from '../choices.ts';
import { addressOf, countOf, numberOf, objectOf, objectsOf, tableOf, textOf } from '../json.ts';
import type { Maker } from '../maker.ts';
import { numberLimits } from '../number-limits.ts';
import { scaleHelp, withEnds } from '../scale-help.ts';
import { asHtml, heading, inOneLanguage, type Words } from '../words.ts';

/** Typeform writes bold with one asterisk, where Markdown has two. */
const BOLD = /(^|[\s(])\*([^\s*](?:[^*\n]*[^\s*])?)\*(?=[\s.,;:!?)]|$)/g;
const ITALIC = /(^|[\s(])_([^\s_](?:[^_\n]*[^\s_])?)_(?=[\s.,;:!?)]|$)/g;

/** A text with Typeform's markup. */
export function typeformText(value: unknown): string {
  return textOf(value).replace(BOLD, '$1**$2**').replace(ITALIC, '$1$2');
}

const TEXTS = tableOf<string>({
  short_text: 'text',
  long_text: 'text',
  email: 'email',
  phone_number: 'phone_number',
  website: 'url',
  number: 'number',
  date: 'date',
});
/** What browsers fill into the parts of an address or of contact data. */
const AUTOFILL = tableOf<string>({
  first_name: 'given-name',
  last_name: 'family-name',
  company: 'organization',
  address: 'address-line1',
  address_line_2: 'address-line2',
  city: 'address-level2',
  state: 'address-level1',
  zip_code: 'postal-code',
  country: 'country-name',
});
const GROUPS = ['group', 'inline_group', 'contact_info', 'address'];
const OTHERS = ['statement', 'yes_no', 'legal', 'checkbox', 'dropdown', 'multiple_choice', 'picture_choice'];
const SCORES = ['rating', 'opinion_scale', 'nps', 'matrix', 'ranking', 'file_upload', 'payment', 'calendly'];
const KNOWN = new Set([...Object.keys(TEXTS), ...GROUPS, ...OTHERS, ...SCORES]);

export function isTypeOfIt(type: string): boolean {
  return KNOWN.has(type);
}

/**
 * Makes a field's block.
 * @param place collects blocks that are shown and hidden together
 * @returns the fields of a group, which follow
 */
export function askTypeformField(
  maker: Maker,
  field: JsonObject,
  place: (blocks: Property[]) => void,
): JsonObject[] {
  const type = textOf(field.type);
  const properties = objectOf(field.properties);
  const title = typeformText(field.title);
  const description = typeformText(properties.description);
  const { picture, video } = attachedTo(field);
  const pictured = (block: Property): Property => {
    if (picture !== undefined) block.image = { url: picture, layout: 'between' };
    return block;
  };
  if (video !== undefined) place([maker.show('nf-video', video, title)]);
  const told = (): Property[] => {
    const block = maker.tell(inOneLanguage(title), (text) => heading(text) + asHtml(description));
    return block === null ? [] : [pictured(block)];
  };
  if (GROUPS.includes(type)) {
    const head = told();
    if (head.length > 0) place(head);
    return objectsOf(properties.fields);
  }
  if (type === 'statement') place(told());
  else if (type === 'matrix') place(askMatrix(maker, field));
  else {
    const block = askField(maker, field, inOneLanguage(title), inOneLanguage(description));
    place(block === null ? [] : [pictured(block)]);
  }
  return [];
}

/** The media beside or behind a text. */
export function attachedTo({ attachment, layout }: JsonObject): { picture?: string; video?: string } {
  const { type, href } = objectOf(attachment ?? objectOf(layout).attachment);
  const address = addressOf(href);
  if (address === undefined) return {};
  return type === 'video' ? { video: address } : { picture: address };
}

function askField(maker: Maker, field: JsonObject, name: Words, help: Words): Property | null {
  const type = textOf(field.type);
  const properties = objectOf(field.properties);
  const validations = objectOf(field.validations);
  const ref = textOf(field.ref) || textOf(field.id);
  const required = { required: validations.required === true };
  const ask = (ours: string, options: Parameters<Maker['ask']>[3] = {}, choices?: Choices, more = help) =>
    maker.shuffle(
      maker.ask(
        ref,
        ours,
        { name, help: more, labels: choices?.words },
        { ...required, ...options },
        choices,
      ),
      properties.randomize === true,
    );
  const simple = TEXTS[type];
  if (simple !== undefined) {
    const limit = countOf(validations.max_length);
    const autocomplete = AUTOFILL[textOf(field.subfield_key)];
    return ask(simple, {
      ...(simple === 'text' && autocomplete !== undefined && { autocomplete }),
      ...(type === 'long_text' && { multi_lines: true }),
      ...(limit !== undefined && { max_char_limit: limit }),
      ...(type === 'number' &&
        numberLimits(numberOf(validations.min_value), numberOf(validations.max_value))),
    });
  }
  switch (type) {
    case 'yes_no': {
      // Logic uses true and false; exports have 1 and 0.
      const choices = choicesOf(['Yes', 'No'].map(inOneLanguage), [
        ['1', 'true'],
        ['0', 'false'],
      ]);
      return ask('select', { ...optionsOf('select', choices), without_dropdown: true }, choices);
    }
    case 'legal':
      return ask('checkbox');
    case 'dropdown':
    case 'multiple_choice':
    case 'picture_choice':
    case 'checkbox':
      return askChoice(field, ask);
    case 'ranking': {
      const choices = choicesIn(properties);
      return ask('ranking', optionsOf('ranking', choices), choices);
    }
    case 'rating':
      return ask('rating', { rating_max_value: countOf(properties.steps) ?? 5 });
    case 'nps':
    case 'opinion_scale': {
      const min = type === 'opinion_scale' && properties.start_at_one === true ? 1 : 0;
      const max = min + (countOf(properties.steps) ?? 11) - 1;
      const { left, center, right } = objectOf(properties.labels);
      const more = scaleHelp(help, [[(min + max) / 2, inOneLanguage(textOf(center))]]);
      const block = ask('scale', { scale_min_value: min, scale_max_value: max }, undefined, more);
      return withEnds(maker, block, inOneLanguage(textOf(left)), inOneLanguage(textOf(right)));
    }
    case 'file_upload':
      return ask('files');
    case 'payment':
      maker.note(name.text, 'It is left out. Add a Payment block with its amount.');
      return null;
    default:
      maker.note(name.text, `It is left out: there is no question of the kind “${type || 'unknown'}” here.`);
      return null;
  }
}

type Ask = (ours: string, options: Parameters<Maker['ask']>[3], choices: Choices) => Property;

function askChoice(field: JsonObject, ask: Ask): Property {
  const properties = objectOf(field.properties);
  const validations = objectOf(field.validations);
  const choices = choicesIn(properties);
  const images = listedIn(properties).map(({ attachment }) => addressOf(objectOf(attachment).href));
  const hasImages = images.length > 0 && images.every((image) => image !== undefined);
  const isMultiple = properties.allow_multiple_selection === true || field.type === 'checkbox';
  const type = isMultiple ? 'multi_select' : 'select';
  const max = countOf(validations.max_selection);
  const min = countOf(validations.min_selection);
  return ask(
    type,
    {
      ...optionsOf(type, choices, hasImages ? images : []),
      ...(hasImages && { option_display_mode: 'text_and_image' }),
      ...(!isMultiple && field.type !== 'dropdown' && { without_dropdown: true }),
      ...(properties.allow_other_choice === true && { allow_creation: true }),
      ...(isMultiple && min !== undefined && { min_selection: min }),
      ...(isMultiple && max !== undefined && max >= (min ?? 1) && { max_selection: max }),
    },
    choices,
  );
}

/** Choices in the order of display. */
function listedIn(properties: JsonObject): JsonObject[] {
  const choices = objectsOf(properties.choices);
  if (properties.alphabetical_order !== true) return choices;
  return choices.toSorted((one, other) => textOf(one.label).localeCompare(textOf(other.label)));
}

function choicesIn(properties: JsonObject): Choices {
  const choices = listedIn(properties);
  return choicesOf(
    choices.map(({ label }) => inOneLanguage(textOf(label))),
    choices.map(({ ref, id, label }) => [textOf(ref), textOf(id), textOf(label)]),
  );
}

/** Rows of a Typeform matrix are questions of their own. */
function askMatrix(maker: Maker, field: JsonObject): Property[] {
  const title = typeformText(field.title);
  const rows = objectsOf(objectOf(field.properties).fields);
  const choices = choicesIn(objectOf(rows[0]?.properties));
  const isMultiple = rows.some(({ properties }) => objectOf(properties).allow_multiple_selection === true);
  if (isMultiple) {
    return rows.flatMap((row) => {
      const name = inOneLanguage(`${title} [${textOf(row.title)}]`);
      return askField(maker, row, name, inOneLanguage('')) ?? [];
    });
  }
  const named = choicesOf(
    rows.map((row) => inOneLanguage(textOf(row.title))),
    [],
  );
  const isRequired = ({ validations }: JsonObject) => objectOf(validations).required === true;
  const required = rows.some(isRequired);
  if (required && !rows.every(isRequired)) maker.note(title, 'Some of its rows were required. Here all are.');
  const texts = {
    name: inOneLanguage(title),
    help: inOneLanguage(textOf(objectOf(field.properties).description)),
  };
  const options = { required, rows: named.names, columns: choices.names };
  return [maker.ask(textOf(field.ref) || textOf(field.id), 'matrix', texts, options)];
}
