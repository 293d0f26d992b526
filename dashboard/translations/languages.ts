/** Languages in which pages have all texts. */
const COMPLETE = 'ar de en es fr hi it ja ko nl pl pt ru tr uk zh'.split(' ');
/** Languages in which pages have English texts so far. */
const ENGLISH_SO_FAR = 'bn ca cs eu gl hu jv mr pa sk sr sv ta te ur vi'.split(' ');
const RIGHT_TO_LEFT = ['ar', 'ur'];

const inEnglish = new Intl.DisplayNames(['en'], { type: 'language' });

/** All languages that a form may have. */
export const FORM_LANGUAGES: readonly string[] = [...COMPLETE, ...ENGLISH_SO_FAR].sort((one, other) =>
  languageName(one).localeCompare(languageName(other)),
);

/** The name of a language in the dashboard's language. */
export function languageName(code: string): string {
  return inEnglish.of(code) ?? code;
}

export function directionOf(code: string): 'ltr' | 'rtl' {
  return RIGHT_TO_LEFT.includes(code) ? 'rtl' : 'ltr';
}

/** Languages to choose from, each named in itself, as its speakers look for it. */
export const LANGUAGE_OPTIONS: readonly (readonly [code: string, name: string])[] = [
  ...namesInThemselves(COMPLETE),
  ...namesInThemselves(ENGLISH_SO_FAR).map(
    ([code, name]) => [code, `${name}, English texts so far`] as const,
  ),
];

function namesInThemselves(codes: readonly string[]): [string, string][] {
  return codes
    .map((code) => {
      const name = new Intl.DisplayNames([code], { type: 'language' }).of(code) ?? code;
      return [code, name === code ? code : `${name} (${code})`] as [string, string];
    })
    .sort(([, one], [, other]) => one.localeCompare(other));
}
