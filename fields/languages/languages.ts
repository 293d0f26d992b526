import { type Messages, messagesFrom } from '../texts/messages.ts';
import { arabic } from './ar.ts';
import { german } from './de.ts';
import { english } from './en.ts';
import { spanish } from './es.ts';
import { french } from './fr.ts';
import { hindi } from './hi.ts';
import { italian } from './it.ts';
import { japanese } from './ja.ts';
import { korean } from './ko.ts';
import type { Language } from './language.ts';
import { dutch } from './nl.ts';
import { polish } from './pl.ts';
import { portuguese } from './pt.ts';
import { russian } from './ru.ts';
import { turkish } from './tr.ts';
import { ukrainian } from './uk.ts';
import { chinese } from './zh.ts';

/** The complete languages. For the server only: a page gets just the one it shows. */
export const LANGUAGES: readonly Language[] = [
  arabic,
  german,
  english,
  spanish,
  french,
  hindi,
  italian,
  japanese,
  korean,
  dutch,
  polish,
  portuguese,
  russian,
  turkish,
  ukrainian,
  chinese,
];

const byCode = new Map(LANGUAGES.map((language) => [language.code, language]));
const englishWording = wordingOf(english);
const wordings = new Map(LANGUAGES.map((language) => [language.code, wordingOf(language)]));

/** Form languages written from right to left, even if their texts do not exist. */
const RIGHT_TO_LEFT: ReadonlySet<string> = new Set(['ar', 'ur']);

/** The texts for a form's language (two letters), or the English ones; `code` tells which. */
export function languageFor(code: string): Language {
  return byCode.get(code) ?? english;
}

/** The API's texts about refused answers, in the form's language or English. */
export function messagesFor(code: string): Messages {
  return (wordings.get(code) ?? englishWording).api;
}

/** The page's texts about refused answers; the same object as the API's in most languages. */
export function pageMessagesFor(code: string): Messages {
  return (wordings.get(code) ?? englishWording).page;
}

function wordingOf({ code, messages, apiMessages }: Language): { page: Messages; api: Messages } {
  const page = messagesFrom(messages, code);
  return { page, api: apiMessages ? messagesFrom(apiMessages, code) : page };
}

/** Whether this language is written from right to left. */
export function isRightToLeft(code: string): boolean {
  return RIGHT_TO_LEFT.has(code);
}
