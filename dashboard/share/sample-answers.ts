import { isOn } from '../../fields/options.ts';
import type { Answers, Property } from '../../fields/property.ts';
import { sampleAnswer } from '../../fields/sample-answer.ts';

/** Made-up answers by field id, such as the form may take. */
export function sampleAnswers(questions: readonly Property[]): Answers {
  const answers: Answers = {};
  for (const question of questions) {
    const answer = isOn(question.hidden) ? null : sampleAnswer(question);
    if (answer !== null) answers[question.id] = answer;
  }
  return answers;
}

/** For a shell, whatever quotes the text holds. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
