import { asHtml, escapeHtml, mapWords, type Words } from './words.ts';

/** What the ends of a scale mean, told below its help: `1: never · 5: always`. */
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
