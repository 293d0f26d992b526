import { labelOf } from '../../choices/choices.ts';
import { rankedOptions } from '../../choices/ranking-places.ts';
import { inShuffledOrder } from '../../choices/shuffle.ts';
import type { FieldControl } from '../field-control.ts';
import { attribute, html } from '../html.ts';
import { partName } from '../part-names.ts';
import { attributes } from './parts.ts';

/** Each option with a list of the ranks. The script turns it into a list to put in order. */
export const rankingControl: FieldControl = {
  groupRole: () => 'group',
  render(property, { texts, id, answer, isInvalid, orderSeed }) {
    const options = inShuffledOrder(rankedOptions(property, answer), property, orderSeed);
    const rows = options.map(({ name, number, place }) => {
      const isAlone = place !== '' && options.filter((other) => other.place === place).length === 1;
      const list = attributes({
        id: `${id}-${number}`,
        name: partName(property.id, name),
        'aria-invalid': isInvalid && !isAlone && 'true',
      });
      const places = options.map((_, index) => {
        const text = `${index + 1}`;
        return html`<option${attribute('selected', text === place)}>${text}</option>`;
      });
      return html`<li><label for="${id}-${number}">${labelOf(property, name)}</label><select${list}><option value="">–</option>${places}</select></li>`;
    });
    return html`<p class="hint">${texts.rankingHint}</p><ol class="ranking" data-ranking>${rows}</ol>`;
  },
};
