/** The languages of the browser. Some name one that is none, such as `C` or `en-US@posix`, which no formatter takes. */
export const locales = navigator.languages.filter(isLocale);

function isLocale(name: string): boolean {
  try {
    return Intl.getCanonicalLocales(name).length > 0;
  } catch {
    return false;
  }
}
