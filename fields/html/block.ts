import { isOn, isOneOf } from '../block-options/options.ts';
import type { FieldType } from '../field-type.ts';
import { fieldTypeOf } from '../field-types.ts';
import { isNeverShown } from '../logic/shown.ts';
import { type ErrorBag, ownMember, type Property } from '../property.ts';
import { blockImage } from './block-image.ts';
import { attributes, joinIds, optionText } from './controls/parts.ts';
import { controlOf } from './controls.ts';
import type { ControlContext } from './field-control.ts';
import { hiddenInputs } from './hidden-inputs.ts';
import { attribute, type Html, html, trusted } from './html.ts';
import { layoutBlock } from './layout-blocks.ts';

/** Of blocks that do not fill a row. */
export const WIDTHS = ['1/2', '1/3', '2/3', '3/4', '1/4'];
export const ALIGNS = ['left', 'center', 'right', 'justify'];

/** What rendering a block needs besides its property. */
export interface BlockContext extends Omit<ControlContext, 'id' | 'describedBy' | 'isInvalid'> {
  /** Index of the block among all blocks of the form: its element ids begin with `f<index>`. */
  index: number;
  isHidden: boolean;
  /** By field id; at least those of this field. */
  problems: Readonly<ErrorBag>;
  /** Address of an `nf-code` block's own document; null if such blocks are not shown. */
  codeUrl: string | null;
}

/** A block's markup, and the rules it needs in a style sheet of the page. */
interface RenderedBlock {
  markup: Html;
  css: string;
}

/** Renders one block of a form with everything around its control. */
export function renderBlock(property: Property, context: BlockContext): RenderedBlock {
  const type = fieldTypeOf(property.type);
  if (type.kind === 'input' && isNeverShown(property)) {
    return { markup: hiddenInputs(property, context.answer, context.language), css: '' };
  }
  const id = blockId(context.index);
  const image = blockImage(property, `${id}-picture`);
  const content =
    type.kind === 'layout'
      ? layoutBlock(property, type.name, context)
      : input(property, type, context, image?.layout === 'between' ? image.markup : null);
  if (content === null) return { markup: html``, css: '' };
  const isAside = image !== null && (image.layout !== 'between' || type.kind === 'layout');
  const markup = html`<div${attributes({
    class: blockClass(property, isAside ? image.layout : null),
    id: `${id}-block`,
    'data-block': property.id,
    'data-type': type.name,
    hidden: context.isHidden,
  })}>${isAside ? html`${image.markup}<div class="beside">${content}</div>` : content}</div>`;
  return { markup, css: image?.css ?? '' };
}

function input(property: Property, type: FieldType, context: BlockContext, image: Html | null): Html {
  const id = blockId(context.index);
  const control = controlOf(type.name);
  const role = control.groupRole(property);
  const messages = ownMember(context.problems, property.id) ?? [];
  const help = helpOf(property, id, context);
  const { isDisabled, isRequired, answer } = context;
  const isInvalid = messages.length > 0;
  const describedBy = joinIds(help && `${id}-help`, `${id}-error`);
  const drawn = control.render(property, { ...context, id, describedBy, isInvalid });
  const label = labelOf(property, id, context, role);
  const isAbove = property.help_position === 'above_input';
  const parts = control.labelFollows
    ? html`<div class="row">${drawn}${label}</div>${image}${help}`
    : html`${label}${isAbove && help}${image}${drawn}${!isAbove && help}`;
  const whole =
    role === 'none'
      ? parts
      : html`<fieldset${attributes({
          id,
          tabindex: -1,
          role: role === 'radiogroup' && role,
          'aria-describedby': describedBy,
          'aria-required': role === 'radiogroup' && isRequired && 'true',
          'aria-invalid': role === 'radiogroup' && isInvalid && 'true',
          disabled: isDisabled,
        })}>${parts}</fieldset>`;
  // a disabled control is not sent, but its answer counts
  const kept = isDisabled
    ? html`<div data-kept hidden>${hiddenInputs(property, answer, context.language)}</div>`
    : null;
  const error = html`<p class="error" id="${id}-error"${attribute('hidden', !isInvalid)}>${messages.join(' ')}</p>`;
  return html`${whole}${kept}${error}`;
}

/** The field's name. The required mark is there whenever logic may require the field, so that a script only has to show it. */
function labelOf(
  property: Property,
  id: string,
  { isRequired, texts }: BlockContext,
  role: 'none' | 'group' | 'radiogroup',
): Html {
  const mayBeRequired =
    isRequired || isOn(property.required) || (property.logic?.actions ?? []).includes('require-answer');
  // single inputs and radio groups announce themselves that they are required
  const spoken = role === 'group' ? html`<span class="sr"> (${texts.required})</span>` : null;
  const mark = mayBeRequired
    ? html`<span data-required${attribute('hidden', !isRequired)}><span class="mark" aria-hidden="true">\u00a0*</span>${spoken}</span>`
    : null;
  const list = { class: isOn(property.hide_field_name) ? 'label sr' : 'label' };
  return role === 'none'
    ? html`<label${attributes({ ...list, for: id })}>${property.name}${mark}</label>`
    : html`<legend${attributes(list)}>${property.name}${mark}</legend>`;
}

function helpOf(property: Property, id: string, { richText }: BlockContext): Html | null {
  const help = optionText(property.help);
  if (help === null) return null;
  return html`<div class="help" id="${id}-help">${trusted(richText(help))}</div>`;
}

function blockClass(property: Property, imageLayout: string | null): string {
  const names = ['block'];
  if (isOneOf(WIDTHS, property.width)) names.push(`w-${String(property.width).replace('/', '-')}`);
  if (isOneOf(ALIGNS, property.align)) names.push(`align-${property.align}`);
  if (imageLayout !== null) names.push(`picture-${imageLayout}`);
  return names.join(' ');
}

function blockId(index: number): string {
  return `f${index}`;
}
