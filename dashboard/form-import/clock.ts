import type { Property } from '../../fields/property.ts';
import { acceptOnlyWhen, compare } from './conditions.ts';
import type { Maker } from './maker.ts';

const CLOCK = {
  placeholder: '13:45',
  pattern: '^([01]?[0-9]|2[0-3]):[0-5][0-9]$',
  words: 'hours and minutes',
};
const DURATION = {
  placeholder: '1:30:00',
  pattern: '^[0-9]+:[0-5][0-9]:[0-5][0-9]$',
  words: 'hours, minutes and seconds',
};

/** Turns a text question into one for a time of day or a duration, for which there is no type. */
export function askTime(maker: Maker, source: string, block: Property, isDuration = false): Property {
  const { placeholder, pattern, words } = isDuration ? DURATION : CLOCK;
  block.placeholder = placeholder;
  maker.note(block.name, `It is asked as a text: ${words}.`);
  const asked = maker.find(source);
  const test = asked && compare(asked, 'matches', pattern);
  if (asked && test) acceptOnlyWhen(asked, block, test, `Enter ${words}, such as ${placeholder}.`);
  return block;
}
