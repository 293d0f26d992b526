import { addError, type ErrorBag, emptyErrorBag } from '../../fields/property.ts';
import { invalid } from '../http/errors.ts';
import type { ScenarioContent } from './queries.ts';
import { type Expected, type ExpectedBody, MAX_ALL, MAX_ANSWERS, MAX_EXPECTED } from './schemas.ts';

/** What is said of scenarios that are too long together. */
export const TOO_LONG = `The answers and expectations of all scenarios of a form may not be greater than ${MAX_ALL} characters.`;

/** An expectation with every member. */
export function completeExpectation(body: ExpectedBody): Expected {
  return {
    outcome: body.outcome,
    errors: body.errors ?? [],
    shown: body.shown ?? [],
    hidden: body.hidden ?? [],
    computed: body.computed ?? {},
    ending: body.ending ?? null,
  };
}

/** What the schema cannot tell is wrong. Ids need not be in the form: a run tells of those that are missing. */
export function contentProblems({
  answers,
  expected,
}: Pick<ScenarioContent, 'answers' | 'expected'>): ErrorBag {
  const errors = emptyErrorBag();
  const { outcome, shown, hidden, ending } = expected;
  if (JSON.stringify(answers).length > MAX_ANSWERS)
    addError(errors, 'answers', `The answers may not be greater than ${MAX_ANSWERS} characters.`);
  if (JSON.stringify(expected).length > MAX_EXPECTED)
    addError(errors, 'expected', `The expected may not be greater than ${MAX_EXPECTED} characters.`);
  if (outcome === 'accepted' && expected.errors.length > 0)
    addError(errors, 'expected.errors', 'Answers with problems are not accepted.');
  if (outcome === 'refused' && ending !== null)
    addError(errors, 'expected.ending', 'Answers that are refused reach no ending.');
  const both = shown.find((id) => hidden.includes(id));
  if (both !== undefined) addError(errors, 'expected.hidden', `${both} cannot be both shown and hidden.`);
  return errors;
}

/** @throws HttpError 422 with all problems */
export function checkContent(content: Pick<ScenarioContent, 'answers' | 'expected'>): void {
  const errors = contentProblems(content);
  if (Object.keys(errors).length > 0) throw invalid(errors);
}
