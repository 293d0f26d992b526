import { amountText } from '../../currencies.ts';
import { charges } from '../../payment.ts';
import type { FieldControl } from '../field-control.ts';
import { html, trusted } from '../html.ts';
import { anyTextControl } from './text-inputs.ts';

/** The amount to be paid, which nobody fills in; blocks without one take any text. */
export const paymentControl: FieldControl = {
  groupRole: (property) => (charges(property) ? 'group' : 'none'),
  render(property, context) {
    if (!charges(property)) return anyTextControl.render(property, context);
    const { amount, currency } = property;
    const { texts, language, richText } = context;
    const shown =
      typeof amount === 'number'
        ? html`${amountText(amount, String(currency), language)}`
        : html`${trusted(richText(String(amount)))} ${String(currency)}`;
    return html`<p><strong>${shown}</strong></p><p class="hint">${texts.payAfterwards}</p>`;
  },
};
