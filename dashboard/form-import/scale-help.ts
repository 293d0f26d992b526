import type { Property } from '../../fields/property.ts';
import { escapeHtml } from '../../fields/texts/escape-html.ts';
import { MAX_END_LABEL } from '../../fields/types/stepped.ts';
import type { Maker } from './maker.ts';
import { asHtml, asName, mapWords, type Words } from './words.ts';

/** The meaning of a scale's ends, added to its help: `1: never · 5: always`. */
export function scaleHelp(help: Words, marks: readonly (readonly [value: number, words: Words])[]): Words {
  const said = marks.filter(([, words]) => words.text !== '');
  if (said.length === 0) return help;
  const codes = new Set(said.flatMap(([, { others }]) => Object.keys(others)));
  const meaning = (textOf: (words: Words) => string) =>
    said.map(([value, words]) => `${value}: ${escapeHtml(textOf(words))}`).join(' · ');
  const joined = (text: string, line: string) => `${asHtml(text)}<p>${line}</p>`;
  const own = mapWords(help, (text) =>
    joined(
      text,
      meaning((words) => words.text),
    ),
  );
  const others = [...codes].map((code) => [
    code,
    joined(
      help.others[code] ?? help.text,
      meaning((words) => words.others[code] ?? words.text),
    ),
  ]);
  return { text: own.text, others: Object.fromEntries(others) };
}

/**
 * Adds the meaning of the scale's ends as their labels.
 * @returns the block
 */
export function withEnds<Block extends Property | null>(
  maker: Maker,
  block: Block,
  low: Words,
  high: Words,
): Block {
  const ends = { scale_min_label: low, scale_max_label: high };
  for (const [key, words] of Object.entries(ends)) {
    const label = mapWords(words, (text) => asName(text).slice(0, MAX_END_LABEL));
    if (block === null || label.text === '') continue;
    block[key] = label.text;
    maker.say(block.id, key, label);
  }
  return block;
}
