import type { Element } from 'domhandler';
import { DomUtils, parseDocument } from 'htmlparser2';
import { type BlockContext, renderBlock } from '../../../fields/html/block.ts';
import { readEntries } from '../../../fields/html/read-entries.ts';
import { type Posted, readPost } from '../../../fields/html/read-post.ts';
import { languageFor } from '../../../fields/languages/languages.ts';
import type { Answers, JsonValue, Property } from '../../../fields/property.ts';
import { serverEngines } from '../../../fields/server-engines.ts';
import { TODAY } from '../forms.ts';

/** What a block is drawn from, unless a test says otherwise. */
export function context(options: Partial<BlockContext> = {}): BlockContext {
  return {
    texts: languageFor('en').page,
    language: 'en',
    answer: undefined,
    index: 0,
    isHidden: false,
    isRequired: false,
    isDisabled: false,
    problems: {},
    againUrl: null,
    orderSeed: null,
    maxFileSize: 25,
    now: TODAY,
    richText: serverEngines.sanitiseHtml,
    codeUrl: null,
    ...options,
  };
}

export function draw(property: Property, options: Partial<BlockContext> = {}): string {
  return renderBlock(property, context(options)).markup.markup;
}

export function elements(markup: string, tag: string): Element[] {
  return DomUtils.getElementsByTagName(tag, parseDocument(markup));
}

/** The names and texts that a browser sends of a form (HTML, constructing the form data set), without files. */
export function formData(markup: string): Posted & { entries: [string, string][] } {
  const entries: [string, string][] = [];
  const visit = (element: Element, isDisabled: boolean): void => {
    const { name: tag, attribs } = element;
    // Templates are for the script, and buttons count only when pressed.
    if (tag === 'template' || tag === 'button') return;
    const isOff = isDisabled || Object.hasOwn(attribs, 'disabled');
    if (attribs.name !== undefined && !isOff) {
      for (const value of valuesOf(element, tag)) entries.push([attribs.name, normalised(value)]);
    }
    for (const child of element.children) if (isElement(child)) visit(child, isOff);
  };
  for (const child of parseDocument(markup).children) if (isElement(child)) visit(child, false);
  return {
    entries,
    getAll: (name) => entries.filter(([key]) => key === name).map(([, value]) => value),
  };
}

/** Draws a field with an answer, sends it unchanged, and reads what arrives. */
export function sendBack(
  property: Property,
  answer: JsonValue,
  options: Partial<BlockContext> = {},
): Answers {
  return readPost([property], formData(draw(property, { answer, ...options })), {
    isComplete: true,
    readEntries,
  });
}

function valuesOf(element: Element, tag: string): string[] {
  const { attribs } = element;
  if (tag === 'select') {
    const options = DomUtils.getElementsByTagName('option', element);
    const chosen = options.find((option) => Object.hasOwn(option.attribs, 'selected')) ?? options[0];
    return chosen === undefined ? [] : [chosen.attribs.value ?? collapsed(DomUtils.textContent(chosen))];
  }
  // the parser of these tests keeps the first line break, which a browser drops
  if (tag === 'textarea') return [DomUtils.textContent(element).replace(/^\n/, '')];
  if (tag !== 'input' || attribs.type === 'file') return [];
  if (attribs.type === 'checkbox' || attribs.type === 'radio') {
    return Object.hasOwn(attribs, 'checked') ? [attribs.value ?? 'on'] : [];
  }
  return [sanitised(attribs.type ?? 'text', attribs.value ?? '')];
}

/** The changes that inputs make to their values (HTML, value sanitization algorithm). */
function sanitised(type: string, value: string): string {
  if (type === 'hidden') return value;
  if (type === 'date') return /^\d{4}-\d\d-\d\d$/.test(value) ? value : '';
  if (type === 'datetime-local') return /^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(value) ? value : '';
  const line = value.replace(/[\r\n]/g, '');
  return type === 'email' || type === 'url' ? line.replace(/^[\t\f ]+|[\t\f ]+$/g, '') : line;
}

function normalised(value: string): string {
  return value.replace(/\r\n|\r|\n/g, '\r\n');
}

function collapsed(text: string): string {
  return text.replace(/[\t\n\f\r ]+/g, ' ').replace(/^ | $/g, '');
}

function isElement(node: { type: string }): node is Element {
  return node.type === 'tag' || node.type === 'script' || node.type === 'style';
}
