import { invalid } from './errors.ts';

/** The text without outer white space. @throws HttpError 422 when nothing is left of it. */
export function requiredText(key: string, text: string): string {
  const trimmed = text.trim();
  if (trimmed === '') throw invalid({ [key]: [`The ${key} field is required.`] });
  return trimmed;
}
