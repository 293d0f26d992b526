import { isOn } from '../../block-options/options.ts';
import { isToday } from '../../block-options/prefill.ts';
import type { JsonValue, Property } from '../../property.ts';
import type { ControlContext, FieldControl } from '../field-control.ts';
import { type Html, html } from '../html.ts';
import {
  type Attributes,
  answerText,
  attributes,
  controlAttributes,
  optionText,
  textInput,
} from './parts.ts';

/** The only texts that browsers' date inputs accept; they drop any other. */
const DAY = /^\d{4}-\d\d-\d\d$/;
const DAY_AND_TIME = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)$/;

/** A day, a day with a time, or a range of two. */
export const dateControl: FieldControl = {
  groupRole: (property) => (isOn(property.date_range) ? 'group' : 'none'),
  render(property, context) {
    if (!isOn(property.date_range)) {
      const { placeholder: _, ...list } = controlAttributes(property, context);
      return dateInput(property, context, context.answer, list);
    }
    const [from, to] = Array.isArray(context.answer) ? context.answer : [context.answer];
    return html`<div class="range">${end(property, context, { index: 0, label: context.texts.from, answer: from })}${end(property, context, { index: 1, label: context.texts.to, answer: to })}</div>`;
  },
};

/** An end of a range. */
function end(
  property: Property,
  context: ControlContext,
  { index, label, answer }: { index: 0 | 1; label: string; answer: JsonValue | undefined },
): Html {
  const input = dateInput(property, context, answer, {
    id: `${context.id}-${index}`,
    name: `${property.id}[${index}]`,
    'aria-required': context.isRequired && 'true',
    'aria-invalid': context.isInvalid && 'true',
  });
  return html`<label>${label} ${input}</label>`;
}

function dateInput(
  property: Property,
  context: ControlContext,
  answer: JsonValue | undefined,
  list: Attributes,
): Html {
  const text = answerText(answer);
  const hooks = {
    'data-date': true,
    'data-format': optionText(property.date_format),
    'data-time-format': optionText(String(property.time_format ?? '')),
  };
  const withTime = DAY_AND_TIME.exec(text);
  const isKnown = text === '' || DAY.test(text) || withTime !== null;
  if (!isKnown) return textInput(text, { ...list, ...hooks });

  // an answer with a time keeps it, even if the field no longer asks for one
  const hasTime = isOn(property.with_time) || withTime !== null;
  const value = withTime ? `${withTime[1]}T${withTime[2]}` : hasTime && text !== '' ? `${text}T00:00` : text;
  return html`<input${attributes({
    type: hasTime ? 'datetime-local' : 'date',
    ...list,
    value: value === '' ? null : value,
    ...bounds(property, context, hasTime),
    ...hooks,
    'data-today': isToday(property, answer, context.now),
  })}>`;
}

/** First and last day in UTC, as the rules count. */
function bounds(property: Property, { now }: ControlContext, hasTime: boolean): Attributes {
  const today = (now ?? new Date()).toISOString().slice(0, 10);
  return {
    min: isOn(property.disable_past_dates) && (hasTime ? `${today}T00:00` : today),
    max: isOn(property.disable_future_dates) && (hasTime ? `${today}T23:59` : today),
  };
}
