import { amountSaid, paymentBlockOf } from '../../payment.ts';
import type { FieldControl } from '../field-control.ts';
import { attribute, html } from '../html.ts';
import { anyTextControl } from './text-inputs.ts';

/** The amount to be paid, which nobody fills in; blocks without one take any text. The script keeps an amount of another value up to date. */
export const paymentControl: FieldControl = {
  groupRole: (property) => (paymentBlockOf([property]) ? 'group' : 'none'),
  render(property, context) {
    const block = paymentBlockOf([property]);
    if (block === null) return anyTextControl.render(property, context);
    const { texts, language, valueFor = () => undefined, isEdit } = context;
    const said = amountSaid(block, valueFor, language);
    const of = typeof block.amount === 'number' ? null : block.amount.of;
    const currency = of === null ? null : block.currency;
    return html`<p><strong${attribute('data-due', of)}${attribute('data-currency', currency)}>${said}</strong></p>${isEdit ? null : html`<p class="hint">${texts.payAfterwards}</p>`}`;
  },
};
