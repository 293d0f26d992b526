import { isOn } from '../../fields/block-options/options.ts';
import type { Answers, Property } from '../../fields/property.ts';
import { sampleAnswer } from '../../fields/sample-answer.ts';

/** Made-up answers by field id that the form would accept. */
export function sampleAnswers(questions: readonly Property[]): Answers {
  const answers: Answers = {};
  for (const question of questions) {
    const answer = isOn(question.hidden) ? null : sampleAnswer(question);
    if (answer !== null) answers[question.id] = answer;
  }
  return answers;
}

/** Quotes a text for a shell, whatever quotation marks it contains. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
