import type { Property } from '../../../fields/property.ts';
import { type Calculated, calculateAll } from '../calculations.ts';
import { cellOf } from '../rows.ts';
import { heading, inOneLanguage, mapWords, type Words } from '../words.ts';
import type { LimeContext } from './context.ts';
import { askLimeQuestion } from './questions.ts';
import { attribute, type LimeGroup, type LimeQuestion } from './survey.ts';
import { onlyExpression } from './texts.ts';

/** Where a block comes from; one that tells of a group has no question. */
export interface Placed {
  block: Property;
  group: LimeGroup;
  question?: LimeQuestion;
}

/**
 * Adds the blocks of all groups, and the calculations.
 * @returns the blocks, still without conditions: these may name what comes later
 */
export function addLimeGroups(context: LimeContext): Placed[] {
  const { maker, names, survey } = context;
  const format = cellOf(survey.settings, 'format');
  const hasPages = format !== 'A' && format !== 'S';
  const placed: Placed[] = [];
  const calculations: Calculated[] = [];
  const results: { block: Property; code: string }[] = [];

  survey.groups.forEach(addGroup);
  calculateAll(maker, calculations, 'limesurvey', names.findWhole);
  for (const { block, code } of results)
    if (!maker.find(code)) maker.properties.splice(maker.properties.indexOf(block), 1);
  return placed;

  function addGroup(group: LimeGroup, index: number): void {
    const { about } = group;
    const name = context.clean(group.name, about);
    if (hasPages && (index > 0 || maker.properties.length > 0)) maker.breakPage(name);
    tellGroup(group, name);
    if (group.isShuffled)
      maker.note(about, 'Its questions changed places with other groups. Here they stay in their places.');
    for (const question of group.questions) {
      const from = maker.properties.length;
      if (question.type === '*') addCalculation(question);
      else askLimeQuestion(question, context);
      for (const block of maker.properties.slice(from)) placed.push({ block, group, question });
    }
  }

  /** Of a group people may see its name (`N`), its description (`D`), neither (`X`) or both. */
  function tellGroup(group: LimeGroup, name: Words): void {
    const parts = cellOf(survey.settings, 'showgroupinfo');
    const heads = [
      parts === 'X' || parts === 'D' ? null : maker.tell(name, heading),
      parts === 'X' || parts === 'N' ? null : maker.tell(context.clean(group.description, group.about)),
    ];
    for (const block of heads) if (block) placed.push({ block, group });
  }

  /** The result of an expression is shown where it stands, unless it is hidden. */
  function addCalculation(question: LimeQuestion): void {
    const { code, text: words } = question;
    const given = attribute(question, 'equation');
    const source = given === '' ? words.text : given;
    calculations.push({ source: code, name: code, text: onlyExpression(source) ?? source });
    if (attribute(question, 'hidden') === '1') return;
    const said = given === '' ? inOneLanguage('') : context.clean(words, question.about);
    const shownText = said.text.includes(`{${code}}`)
      ? said
      : mapWords(said, (one) => `${one} <strong>{${code}}</strong>`);
    const block = maker.tell(shownText);
    if (block) results.push({ block, code });
  }
}
