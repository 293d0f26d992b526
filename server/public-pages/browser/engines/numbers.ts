import { typedNumber as inLanguage } from '../../../../fields/as-text/typed-number.ts';

/** Needed before the first answer where the page came with a number that has a decimal comma. */
export const typedNumber = (typed: string) => inLanguage(typed, document.documentElement.lang);
