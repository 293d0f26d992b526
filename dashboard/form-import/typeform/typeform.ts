import type { JsonObject, Property } from '../../../fields/property.ts';
import type { Test } from '../boolean-tests.ts';
import { addEndings, type SourceEnding } from '../endings.ts';
import type { ImportedForm } from '../imported.ts';
import { addressOf, listOf, objectOf, objectsOf, textOf } from '../json.ts';
import { applyJumps } from '../jumps.ts';
import { type Maker, makeForm } from '../maker.ts';
import { asHtml, asName, heading, inOneLanguage, languageCode, linkTo } from '../words.ts';
import { askTypeformField, attachedTo, isTypeOfIt, typeformText } from './fields.ts';
import { jumpsOf } from './logic.ts';

/** `{{field:ref}}`, `{{hidden:name}}`, `{{var:score}}`. */
const PIPE = /\{\{(?:field|hidden|var|link)[:.]([^{}]+)\}\}/g;

/** The reference of the ending that every form has, in the words of Typeform. */
const OWN_ENDING = 'default_tys';

export function isTypeform({ fields, ...source }: JsonObject): boolean {
  const isFormOfIt = ['welcome_screens', 'thankyou_screens', 'workspace', '_links'].some(
    (key) => key in source,
  );
  return (
    Array.isArray(fields) && (isFormOfIt || objectsOf(fields).some((field) => isTypeOfIt(textOf(field.type))))
  );
}

/** A form from Typeform's Create API. */
export function fromTypeform(source: JsonObject): ImportedForm {
  const maker = makeForm(PIPE);
  const settings = objectOf(source.settings);
  welcome(maker, source);
  // Blocks of one place are shown and hidden together.
  const places: Property[][] = [];
  const placeOf = new Map<string, number>();
  const lastOf = new Map<string, number>();
  const walk = (field: JsonObject) => {
    const first = places.length;
    const inner = askTypeformField(maker, field, (block) => places.push(block));
    inner.forEach(walk);
    for (const key of [textOf(field.ref), textOf(field.id)]) {
      if (key === '' || placeOf.has(key)) continue;
      placeOf.set(key, first);
      lastOf.set(key, Math.max(first, places.length - 1));
    }
  };
  objectsOf(source.fields).forEach(walk);
  for (const name of listOf(source.hidden).map(textOf).filter(Boolean)) {
    const block = maker.ask(name, 'text', { name: inOneLanguage(name) });
    block.hidden = true;
  }
  const end = places.length;
  const { jumps, notes } = jumpsOf(source, maker, { placeOf, lastOf, end });
  for (const note of notes) maker.note('', note);
  const { lost, ends, aims } = applyJumps(places, jumps);
  for (const place of lost) {
    const name = places[place]?.at(-1)?.name ?? '';
    maker.note(
      name,
      'Some of its logic jumps cannot be brought along. Look at Logic of the questions after it.',
    );
  }
  return maker.finish(textOf(source.title), {
    presentation_style: 'focused',
    show_progress_bar: settings.show_progress_bar === true,
    ...languageOf(settings),
    ...thanks(maker, source, ends, aims),
  });
}

function languageOf(settings: JsonObject): { language?: string } {
  const code = languageCode(textOf(settings.language));
  return code === null ? {} : { language: code };
}

function welcome(maker: Maker, source: JsonObject): void {
  const screens = objectsOf(source.welcome_screens);
  for (const screen of screens) {
    const title = typeformText(screen.title);
    const text = typeformText(objectOf(screen.properties).description);
    maker.tell(inOneLanguage(title || text), () => heading(title) + asHtml(text));
    const { picture, video } = attachedTo(screen);
    if (picture !== undefined) maker.show('nf-image', picture, asName(title));
    if (video !== undefined) maker.show('nf-video', video, asName(title));
  }
}

function thanks(
  maker: Maker,
  source: JsonObject,
  ends: ReadonlyMap<string, Test>,
  aims: ReadonlySet<string>,
): { [key: string]: unknown } {
  const screens = objectsOf(source.thankyou_screens);
  // Typeform's own words are only seen where logic leads to them, or where there are no others.
  const written = screens.filter(({ ref }) => ref !== OWN_ENDING || aims.has(OWN_ENDING));
  const usual = written.toSorted(
    (one, other) => Number(one.ref === OWN_ENDING) - Number(other.ref === OWN_ENDING),
  );
  const redirect = addressOf(objectOf(source.settings).redirect_after_submit_url);
  return {
    ...(redirect !== undefined && { redirect_url: redirect }),
    ...addEndings(
      maker,
      usual.map((screen) => endingOf(maker, screen)),
      ends,
      aims,
    ),
  };
}

function endingOf(maker: Maker, screen: JsonObject): SourceEnding {
  const properties = objectOf(screen.properties);
  const address = addressOf(properties.redirect_url);
  // On other endings it is the target of a button.
  const isRedirect = screen.type === 'url_redirect' || textOf(screen.title) === '';
  const button = !isRedirect && address !== undefined && properties.show_button !== false;
  const link = button ? linkTo(address, textOf(properties.button_text)) : '';
  const text = [typeformText(screen.title), typeformText(properties.description), link]
    .filter(Boolean)
    .join('\n\n');
  const { picture, video } = attachedTo(screen);
  if (picture !== undefined || video !== undefined)
    maker.note('', `The picture or film of its ending is left out: ${picture ?? video}`);
  return { key: textOf(screen.ref), text: inOneLanguage(text), address: isRedirect ? address : undefined };
}
