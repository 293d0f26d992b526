import { typedNumber } from '../../fields/as-text/typed-number.ts';
import { readEntries } from '../../fields/html/read-entries.ts';
import { readPost } from '../../fields/html/read-post.ts';
import type { Answers, Property } from '../../fields/property.ts';

/** What may change an answer on the page, or send it. */
const EVENTS = ['input', 'change', 'submit'] as const;

/**
 * Follows what is entered on a page of the form, up to the moment when it is sent.
 * @param onAnswers called with all answers on the page, as it would send them, and what changed them; null for nothing yet
 */
export function followAnswers(
  frame: HTMLIFrameElement,
  properties: readonly Property[],
  onAnswers: (answers: Answers, event: Event | null) => void,
): void {
  const read = (event: Event | null) => {
    const answers = answersIn(frame, properties);
    if (answers) onAnswers(answers, event);
  };
  for (const event of EVENTS) frame.contentDocument?.addEventListener(event, read, { capture: true });
  read(null);
}

/** The answers on the page in a frame; null when it shows no form, such as after sending. */
export function answersIn(frame: HTMLIFrameElement, properties: readonly Property[]): Answers | null {
  const page = frame.contentDocument;
  const form = page?.querySelector<HTMLFormElement>('form#form');
  if (!page || !form) return null;
  const { lang } = page.documentElement;
  return readPost(properties, new FormData(form), {
    isComplete: true,
    readEntries,
    typedNumber: (typed) => typedNumber(typed, lang),
  });
}
