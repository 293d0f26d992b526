import { writtenAnswer } from '../../as-text/typed-number.ts';
import { isMask } from '../../block-options/mask-format.ts';
import { isOn, numberOption, stringList } from '../../block-options/options.ts';
import type { Property } from '../../property.ts';
import { countCharacters } from '../../texts/characters.ts';
import { fillIn } from '../../texts/template.ts';
import { visibleText } from '../../texts/visible-text.ts';
import { withoutIdleLimits } from '../../types/text.ts';
import type { ControlContext, FieldControl } from '../field-control.ts';
import { markupInput } from '../hidden-inputs.ts';
import { type Html, html } from '../html.ts';
import {
  type Attributes,
  answerText,
  controlAttributes,
  hint,
  joinIds,
  optionText,
  textArea,
  textInput,
} from './parts.ts';

/** Lines of a textarea for long texts. */
const ROWS = 4;
const RICH_TEXT_ROWS = 6;
/** Masks whose characters are all on the numeric keyboard. */
const DIGITS_ONLY = /^[9?]+$/;

export const textControl: FieldControl = {
  groupRole: () => 'none',
  render(asked, context) {
    const property = withoutIdleLimits(asked);
    const mask = maskOf(property);
    if (mask === null && isOn(property.multi_lines) && !isOn(property.secret_input)) {
      return withCounter(property, context, (list, value) => textArea(value, { ...list, rows: ROWS }));
    }
    const hintId = mask === null ? undefined : `${context.id}-mask`;
    const input = withCounter(property, context, (list, value) =>
      textInput(value, {
        ...list,
        ...(isOn(property.secret_input) && { type: 'password', autocomplete: 'off', 'data-secret': true }),
        ...(mask !== null && {
          'aria-describedby': joinIds(String(list['aria-describedby'] ?? ''), hintId),
          inputmode: DIGITS_ONLY.test(mask) ? 'numeric' : null,
          dir: 'ltr',
          'data-mask': mask,
          'data-slot': optionText(property.slot_char),
        }),
      }),
    );
    return hintId === undefined || mask === null
      ? input
      : html`${input}${hint(hintId, html`<bdi dir="ltr">${mask}</bdi>`)}`;
  },
};

/** HTML source in a textarea; the script puts an editor over it. */
export const richTextControl: FieldControl = {
  groupRole: () => 'none',
  render(property, context) {
    const area = withCounter(
      property,
      context,
      (list, value) => textArea(value, { ...list, rows: RICH_TEXT_ROWS, 'data-rich': true }),
      visibleText,
    );
    // A disabled field is sent by hidden inputs alone.
    return html`${area}${!context.isDisabled && markupInput(property.id, context.answer)}`;
  },
};

/**
 * Not `type="number"`: it drops text that is no number, and scrolling changes the number. Below zero all keys are offered, because the
 * number pads of some telephones have no minus.
 */
export const numberControl: FieldControl = {
  groupRole: () => 'none',
  render: (property, context) =>
    withCounter(property, context, (list) =>
      textInput(writtenAnswer(context.answer ?? null, context.language), {
        ...list,
        inputmode: isBelowZero(property) ? null : isOn(property.whole_number) ? 'numeric' : 'decimal',
        dir: 'ltr',
        autocomplete: 'off',
      }),
    ),
};
export const emailControl = singleLine({
  type: 'email',
  autocomplete: 'email',
  autocapitalize: 'none',
  spellcheck: 'false',
});
export const urlControl = singleLine({
  type: 'url',
  autocomplete: 'url',
  autocapitalize: 'none',
  spellcheck: 'false',
});
/** For types without a control of their own: any text. */
export const anyTextControl = singleLine({});

export const phoneControl: FieldControl = {
  groupRole: () => 'none',
  render(property, context) {
    const isSimple = isOn(property.use_simple_text_input);
    const hintId = isSimple ? undefined : `${context.id}-hint`;
    const input = textInput(answerText(context.answer), {
      type: 'tel',
      autocomplete: 'tel',
      ...controlAttributes(property, context, hintId),
      'data-phone': !isSimple,
      'data-unavailable': !isSimple && (stringList(property.unavailable_countries).join(',') || null),
    });
    return hintId === undefined ? input : html`${input}${hint(hintId, context.texts.phoneHint)}`;
  },
};

export const barcodeControl: FieldControl = {
  groupRole: () => 'none',
  render: (property, context) =>
    textInput(answerText(context.answer), {
      ...controlAttributes(property, context),
      autocomplete: 'off',
      autocapitalize: 'none',
      spellcheck: 'false',
      'data-decoders': stringList(property.decoders).join(','),
    }),
};

export const locationControl: FieldControl = {
  groupRole: () => 'none',
  render(property, context) {
    const hintId = `${context.id}-hint`;
    const input = textInput(answerText(context.answer), {
      ...controlAttributes(property, context, hintId),
      autocomplete: 'off',
      spellcheck: 'false',
      dir: 'ltr',
      'data-locate': true,
    });
    return html`${input}${hint(hintId, context.texts.locationHint)}`;
  },
};

function singleLine(own: Attributes): FieldControl {
  return {
    groupRole: () => 'none',
    render: (property, context) =>
      withCounter(property, context, (list, value) => textInput(value, { ...own, ...list })),
  };
}

/**
 * The limit counts characters but `maxlength` UTF-16 units, and it would cut pasted text. So the limit is shown and counted, but
 * not enforced while typing.
 * @param countedIn the part of the value that counts
 */
function withCounter(
  property: Property,
  context: ControlContext,
  draw: (list: Attributes, value: string) => Html,
  countedIn = (value: string) => value,
): Html {
  const value = answerText(context.answer);
  const limit = numberOption(property, 'max_char_limit');
  if (limit === undefined || limit < 1) return draw(controlAttributes(property, context), value);
  if (!isOn(property.show_char_limit)) {
    return draw({ ...controlAttributes(property, context), 'data-max-chars': limit }, value);
  }
  const id = `${context.id}-count`;
  const left = limit - countCharacters(countedIn(value));
  const text = left < 0 ? context.texts.charactersOver : context.texts.charactersLeft;
  return html`${draw({ ...controlAttributes(property, context, id), 'data-max-chars': limit }, value)}<p class="hint" id="${id}" data-counter>${fillIn(text, { count: Math.abs(left) }, context.language)}</p>`;
}

function isBelowZero(property: Property): boolean {
  return (numberOption(property, 'number_min_value') ?? 0) < 0;
}

function maskOf({ input_mask: mask }: Property): string | null {
  return typeof mask === 'string' && mask !== '' && isMask(mask) ? mask : null;
}
