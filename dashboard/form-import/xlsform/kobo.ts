import type { Property } from '../../../fields/property.ts';
import { choicesOf, optionsOf } from '../choices.ts';
import { cellOf, type Row } from '../rows.ts';
import { wordsOr } from '../words.ts';
import { choicesInList, type XlsContext } from './questions.ts';
import { wordsIn } from './sheets.ts';

/** A question of Kobo that takes several rows of the sheet, with the rows between its first and last. */
export interface KoboGroup {
  row: Row;
  parts: Row[];
}

const YES = /^(yes|true(\(\))?)$/i;

/** Kobo's rating of several things becomes a matrix, its ranking one of ours. */
export function askKoboGroup({ row, parts }: KoboGroup, context: XlsContext): Property {
  const { maker, languages } = context;
  const source = cellOf(row, 'name');
  const label = wordsIn(row, 'label', languages);
  const texts = {
    name: wordsOr(label, source || 'Question'),
    help: wordsIn(row, 'hint', languages),
  };
  const isRequired = (part: Row) => YES.test(cellOf(part, 'required'));
  const required = [row, ...parts].some(isRequired);
  const list = row.get('kobo--score-choices') ?? cellOf(row, 'kobo--rank-items');
  const choices = choicesInList(list, context);
  if (row.has('kobo--rank-items')) {
    if (parts.length < choices.names.length)
      maker.note(texts.name.text, `It asked for the first ${parts.length}. Here all are put in order.`);
    const options = { required, ...optionsOf('ranking', choices) };
    return maker.ask(source, 'ranking', { ...texts, labels: choices.words }, options, choices);
  }
  if (required && !isRequired(row) && !parts.every(isRequired))
    maker.note(texts.name.text, 'Some of its rows were required. Here all are.');
  const rows = choicesOf(
    parts.map((part) => wordsOr(wordsIn(part, 'label', languages), cellOf(part, 'name'))),
    [],
  );
  return maker.ask(
    source,
    'matrix',
    { ...texts, labels: [...rows.words, ...choices.words] },
    { required, rows: rows.names, columns: choices.names },
  );
}
