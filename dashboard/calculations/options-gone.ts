import { choiceNames } from '../../fields/choices/choices.ts';
import { type Token, tokensOf } from '../../fields/formulas/parse.ts';
import { compare } from '../../fields/formulas/values.ts';
import type { Property } from '../../fields/property.ts';
import { canonicalTypeName } from '../../fields/type-names.ts';

/** A formula's comparison of a question with a text: whether the answer equals it, or contains it among others. */
interface Asked {
  id: string;
  text: string;
  isAmongOthers: boolean;
}

/** Comparisons in a formula with options that do not exist, because they were deleted or renamed. */
export function optionsGone(formula: string, properties: readonly Property[]): Asked[] {
  return askedIn(formula).filter(({ id, text, isAmongOthers }) => {
    const property = properties.find((one) => one.id === id);
    const type = canonicalTypeName(property?.type ?? '');
    if (!property || text === '' || type !== (isAmongOthers ? 'multi_select' : 'select')) return false;
    const names = choiceNames(property, type);
    return names !== null && ![...names].some((name) => compare(name, text) === 0);
  });
}

function askedIn(formula: string): Asked[] {
  const tokens = readTokens(formula);
  const isMark = (place: number, ...marks: string[]) =>
    tokens[place]?.kind === 'mark' && marks.includes(tokens[place].text);
  return tokens.flatMap(({ kind, text: id }, at) => {
    if (kind !== 'field') return [];
    const asks = (place: number, isAmongOthers = false): Asked[] => {
      const { kind, text = '' } = tokens[place] ?? {};
      return kind === 'text' ? [{ id, text, isAmongOthers }] : [];
    };
    const of = isMark(at - 1, '(') ? tokens[at - 2]?.text.toUpperCase() : undefined;
    if (of === 'CONTAINS' && isMark(at + 1, ',')) return asks(at + 2, true);
    if (of === 'SWITCH') return casesAfter(tokens, at).flatMap((place) => asks(place));
    return [
      ...(isMark(at + 1, '=', '<>') ? asks(at + 2) : []),
      ...(isMark(at - 1, '=', '<>') ? asks(at - 2) : []),
    ];
  });
}

/** Positions of the cases of a SWITCH: every second argument after its subject, except a single last one. */
function casesAfter(tokens: readonly Token[], subject: number): number[] {
  const commas: number[] = [];
  for (let at = subject + 1, depth = 0; at < tokens.length && depth >= 0; at++) {
    const { kind, text } = tokens[at] as Token;
    if (kind !== 'mark') continue;
    if (text === '(') depth += 1;
    if (text === ')') depth -= 1;
    if (text === ',' && depth === 0) commas.push(at);
  }
  return commas.filter((_, index) => index % 2 === 0 && index + 1 < commas.length).map((comma) => comma + 1);
}

/** None if the formula cannot be read; that problem is shown elsewhere. */
function readTokens(formula: string): Token[] {
  try {
    return tokensOf(formula);
  } catch {
    return [];
  }
}
