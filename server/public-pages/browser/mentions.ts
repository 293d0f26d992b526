import { sayAnswers } from '../../../fields/as-text/said-answers.ts';
import { typedNumber } from '../../../fields/as-text/typed-number.ts';
import { refresh } from './live.ts';
import { type Page, say } from './page.ts';

/** Keeps mentioned answers up to date in the texts of a page. */
export function followMentions(page: Page): void {
  const { form, data, engines } = page;
  const places = [...form.querySelectorAll<HTMLElement>('[data-mention]')];
  engines.typedNumber ??= (typed) => typedNumber(typed, data.language);
  const { showMentions } = page;
  page.showMentions = () => {
    showMentions?.();
    const { language } = data;
    const speech = {
      language,
      yes: say(page, 'yes'),
      no: say(page, 'no'),
      sanitiseHtml: engines.sanitiseHtml,
    };
    const { rules, shown } = page;
    const computed = (id: string) => rules.variables.get(id)?.(shown.read);
    const sayAnswer = sayAnswers(data.properties, { ...shown, computed }, speech);
    for (const place of places) {
      const text = sayAnswer(place.dataset.mention ?? '', place.dataset.fallback ?? '');
      if (place.textContent !== text) place.textContent = text;
    }
  };
  refresh(page);
}
