import { ALWAYS, all, type Test } from '../boolean-tests.ts';
import { showOnlyWhen } from '../conditions.ts';
import { checkLimeAnswer } from './checks.ts';
import type { LimeContext } from './context.ts';
import type { Placed } from './groups.ts';
import { attribute, type LimeGroup } from './survey.ts';

/** Adds to each block when it is shown, and what is checked of its answer. */
export function addLimeConditions(placed: readonly Placed[], context: LimeContext): void {
  const { maker, names, survey } = context;
  const shownWhen = new Map<string, Test>();

  survey.groups.forEach(findConditions);
  placed.forEach(show);

  /** When each question is asked, by its code. */
  function findConditions(group: LimeGroup): void {
    const around = testOf(group.relevance, group.about);
    for (const question of group.questions) {
      shownWhen.set(question.code, all(around, testOf(question.relevance, question.about)));
    }
  }

  /** Always true if the condition cannot be expressed here. */
  function testOf(relevance: string, about: string): Test {
    const test = names.testOf(relevance, shownWhen);
    if (test === null) maker.note(about, `The condition under which it is shown is left out: ${relevance}`);
    return test ?? ALWAYS;
  }

  function show({ block, group, question }: Placed): void {
    const note = (said: string) => maker.note(block.name, said);
    if (!question) {
      showOnlyWhen(block, testOf(group.relevance, group.about), note);
      return;
    }
    const input = context.inputs.get(block.id);
    if (!block.type.startsWith('nf-')) checkLimeAnswer(question, block, input, context);
    // A comment on an option is asked once that is chosen, which includes that the question is asked.
    if (block.logic) return;
    const own = input ? testOf(input.relevance, block.name) : ALWAYS;
    showOnlyWhen(block, all(shownWhen.get(question.code) ?? ALWAYS, own), note);
    if (attribute(question, 'hidden') !== '1') return;
    delete block.logic;
    block.hidden = true;
  }
}
