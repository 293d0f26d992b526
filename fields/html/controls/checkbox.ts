import { isOn } from '../../block-options/options.ts';
import type { FieldControl } from '../field-control.ts';
import { html } from '../html.ts';
import { TICKED } from '../read-post.ts';
import { attributes, controlAttributes } from './parts.ts';

/** A box to tick, or a switch. */
export const checkboxControl: FieldControl = {
  groupRole: () => 'none',
  labelFollows: true,
  render(property, context) {
    const { placeholder: _, ...list } = controlAttributes(property, context);
    const isSwitch = isOn(property.use_toggle_switch);
    return html`<input${attributes({
      type: 'checkbox',
      ...list,
      value: TICKED,
      class: isSwitch && 'switch',
      role: isSwitch && 'switch',
      checked: isOn(context.answer),
    })}>`;
  },
};
