import { textOf } from '../as-text/text-of.ts';
import { writtenAnswer } from '../as-text/typed-number.ts';
import { isBlank, isOn, stringList } from '../block-options/options.ts';
import { isToday } from '../block-options/prefill.ts';
import { rankedOptions } from '../choices/ranking-places.ts';
import { fieldTypeOf } from '../field-types.ts';
import { isJsonObject, type JsonValue, ownMember, type Property } from '../property.ts';
import { entriesOf, questionsOf } from '../repeated-questions.ts';
import { attribute, type Html, html } from './html.ts';
import { partName } from './part-names.ts';
import { TICKED } from './read-post.ts';
import { asMarkupName, looksTyped } from './typed-markup.ts';

/** Hidden inputs that carry an answer, named and written as `readPost` reads them; none if there is no answer. */
export function hiddenInputs(property: Property, answer: JsonValue | undefined, language: string): Html {
  const { id, type } = property;
  if (answer === undefined || isBlank(answer)) return html``;
  switch (fieldTypeOf(type).name) {
    case 'checkbox':
      // a box that is not sent counts as not ticked
      return isOn(answer) ? hiddenInput(id, TICKED) : html``;
    case 'date':
      if (!isOn(property.date_range)) return hiddenInput(id, textOf(answer), isToday(property, answer));
      return html`${asList(answer).map((date, index) => hiddenInput(`${id}[${index}]`, textOf(date)))}`;
    case 'multi_select':
    case 'files':
      return html`${asList(answer).map((item) => hiddenInput(id, textOf(item)))}`;
    case 'matrix':
      if (!isJsonObject(answer)) return html``;
      return html`${[...new Set(stringList(property.rows))].map((row) => {
        const column = ownMember(answer as { [row: string]: JsonValue }, row);
        return column === undefined || isBlank(column)
          ? null
          : hiddenInput(partName(id, row), textOf(column));
      })}`;
    case 'repeat':
      return html`${(entriesOf(answer) ?? []).map((entry, number) => [
        hiddenInput(`${id}[]`, String(number)),
        ...questionsOf(property).map((question) =>
          hiddenInputs(
            { ...question, id: `${id}[${number}][${question.id}]` },
            ownMember(entry, question.id),
            language,
          ),
        ),
      ])}`;
    case 'ranking':
      return html`${rankedOptions(property, answer).map(({ name, place }) =>
        place === '' ? null : hiddenInput(partName(id, name), place),
      )}`;
    case 'number':
      return hiddenInput(id, writtenAnswer(answer, language));
    case 'rich_text':
      return html`${hiddenInput(id, textOf(answer))}${markupInput(id, answer)}`;
    default:
      return hiddenInput(id, textOf(answer));
  }
}

/** See `asMarkupName`; none for a rich text that is empty or has tags. */
export function markupInput(id: string, answer: JsonValue | undefined): Html {
  const text = textOf(answer ?? null);
  return text !== '' && looksTyped(text) ? hiddenInput(asMarkupName(id), text) : html``;
}

function hiddenInput(name: string, value: string, isToday = false): Html {
  return html`<input type="hidden" name="${name}" value="${value}"${attribute('data-today', isToday)}>`;
}

function asList(answer: JsonValue): JsonValue[] {
  return Array.isArray(answer) ? answer : [answer];
}
