import { typedNumber } from '../../../fields/as-text/typed-number.ts';
import { amountSaid } from '../../../fields/payment.ts';
import { ownMember } from '../../../fields/property.ts';
import { refresh } from './live.ts';
import { find, type Page } from './page.ts';

/** Keeps the amount to be paid up to date, where it is that of another answer or of a calculation. */
export function followAmount(page: Page): void {
  const { form, data, engines } = page;
  const place = find('[data-due]', form);
  if (!place) return;
  const { due: of = '', currency = '' } = place.dataset;
  engines.typedNumber ??= (typed) => typedNumber(typed, data.language);
  const { showMentions } = page;
  page.showMentions = () => {
    showMentions?.();
    const { rules, shown } = page;
    const valueFor = (id: string) => rules.variables.get(id)?.(shown.read) ?? ownMember(shown.read, id);
    const said = amountSaid({ id: '', amount: { of }, currency }, valueFor, data.language);
    if (place.textContent !== said) place.textContent = said;
  };
  refresh(page);
}
