import type { JsonObject, JsonValue, Property } from '../../../fields/property.ts';
import { addEndings, type SourceEnding } from '../endings.ts';
import type { ImportedForm } from '../imported.ts';
import { addressOf, listOf, objectOf, objectsOf, textOf } from '../json.ts';
import { applyJumps } from '../jumps.ts';
import { type Maker, makeForm } from '../maker.ts';
import {
  asHtml,
  asName,
  inOneLanguage,
  joined,
  languageCode,
  linkTo,
  mapWords,
  readWords,
  type Words,
} from '../words.ts';
import { askFormbricksElement, tellBelow, textBelow } from './elements.ts';
import { formbricksJumps } from './logic.ts';

/** `#recall:id/fallback:text#`. */
const PIPE = /#recall:([\w-]+)\/fallback:[^#]*#/g;

export function isFormbricks(source: JsonObject): boolean {
  const survey = surveyIn(source);
  return (
    objectsOf(survey.questions).some(isElement) ||
    objectsOf(survey.blocks).some(({ elements }) => objectsOf(elements).some(isElement))
  );
}

function isElement({ headline, type }: JsonObject): boolean {
  return headline !== undefined && typeof type === 'string';
}

/** Responses of its API contain the survey as `data`. */
function surveyIn(source: JsonObject): JsonObject {
  return 'data' in source ? objectOf(source.data) : source;
}

/** A survey from Formbricks' management API: with `questions`, or with `blocks` of `elements`. */
export function fromFormbricks(source: JsonObject): ImportedForm {
  const survey = surveyIn(source);
  const maker = makeForm(PIPE);
  const own = ownLanguage(survey);
  const read = (value: unknown) => readWords(value, own);
  const welcome = objectOf(survey.welcomeCard);
  if (welcome.enabled === true) tellBelow(maker, read(welcome.headline), textBelow(welcome, read));
  const pages = objectsOf(survey.blocks);
  const isByPage = pages.length > 0;
  const places: Property[][] = [];
  const placeOf = new Map<string, number>();
  const alone = (question: JsonObject): JsonObject => ({ ...question, elements: [question as JsonValue] });
  const groups = isByPage ? pages : objectsOf(survey.questions).map(alone);
  groups.forEach((group, index) => {
    const begin = maker.properties.length;
    if (isByPage && index > 0) maker.breakPage(inOneLanguage(textOf(group.name)));
    for (const element of objectsOf(group.elements)) askFormbricksElement(maker, element, read);
    placeOf.set(textOf(group.id), index);
    places.push(maker.properties.slice(begin));
  });
  const hidden = objectOf(survey.hiddenFields);
  for (const name of listOf(hidden.fieldIds).map(textOf).filter(Boolean))
    maker.ask(name, 'text', { name: inOneLanguage(name) }).hidden = true;
  const endings = new Set(objectsOf(survey.endings).map(({ id }) => textOf(id)));
  const jumps = formbricksJumps(groups, { placeOf, endings, end: places.length }, maker);
  const { lost, ends, aims } = applyJumps(places, jumps);
  for (const place of lost)
    maker.note(
      places[place]?.at(-1)?.name ?? '',
      'Some of its logic cannot be brought along. Look at Logic of the questions after it.',
    );
  if (objectsOf(survey.variables).length > 0)
    maker.note('', 'Variables are left out. Settings → Calculations can work out scores and texts.');
  return maker.finish(asName(textOf(survey.name)), {
    ...(own !== '' && { language: own }),
    presentation_style: isByPage ? 'classic' : 'focused',
    ...addEndings(
      maker,
      objectsOf(survey.endings).map((ending) => endingOf(maker, ending, read)),
      ends,
      aims,
    ),
  });
}

function ownLanguage(survey: JsonObject): string {
  const language = objectsOf(survey.languages).find((one) => one.default === true);
  return languageCode(textOf(objectOf(language?.language).code)) ?? '';
}

function endingOf(maker: Maker, ending: JsonObject, read: (value: unknown) => Words): SourceEnding {
  const key = textOf(ending.id);
  if (ending.type === 'redirectToUrl')
    return { key, text: inOneLanguage(''), address: addressOf(ending.url) };
  const below = (...texts: string[]) => texts.filter(Boolean).map(asHtml).join('');
  const said = joined(read(ending.headline), read(ending.subheader), below);
  const media = addressOf(ending.imageUrl) ?? addressOf(ending.videoUrl);
  if (media !== undefined) maker.note('', `The picture or film of its ending is left out: ${media}`);
  return { key, text: joined(said, buttonOf(maker, ending, read), below), address: undefined };
}

/** The button of an ending as a link; '' if it has none. */
function buttonOf(maker: Maker, ending: JsonObject, read: (value: unknown) => Words): Words {
  const label = read(ending.buttonLabel);
  const address = addressOf(ending.buttonLink);
  if (label.text === '') return label;
  if (address !== undefined) return mapWords(label, (text) => linkTo(address, asName(text)));
  maker.note('', `The button “${asName(label.text)}” of its ending is left out.`);
  return inOneLanguage('');
}
