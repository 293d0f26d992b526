/** An encoding that Windows and Excel write instead of Unicode, by its name in browsers. */
interface Encoding {
  name: string;
  label: string;
  /** Languages that use it, by the beginning of their codes; the first encoding that fits is taken. */
  languages: readonly string[];
}

const WESTERN = 'windows-1252';

export const ENCODINGS: readonly Encoding[] = [
  { name: WESTERN, label: 'Western Europe', languages: [] },
  {
    name: 'windows-1250',
    label: 'Central Europe',
    languages: ['bs', 'cs', 'hr', 'hu', 'pl', 'ro', 'sk', 'sl', 'sq', 'sr-latn'],
  },
  {
    name: 'windows-1251',
    label: 'Cyrillic',
    languages: ['be', 'bg', 'kk', 'ky', 'mk', 'mn', 'ru', 'sr', 'uk'],
  },
  { name: 'windows-1253', label: 'Greek', languages: ['el'] },
  { name: 'windows-1254', label: 'Turkish', languages: ['az', 'tr', 'uz'] },
  { name: 'windows-1255', label: 'Hebrew', languages: ['he'] },
  { name: 'windows-1256', label: 'Arabic', languages: ['ar', 'fa', 'ur'] },
  { name: 'windows-1257', label: 'Baltic', languages: ['et', 'lt', 'lv'] },
  { name: 'windows-1258', label: 'Vietnamese', languages: ['vi'] },
  { name: 'windows-874', label: 'Thai', languages: ['th'] },
  { name: 'shift_jis', label: 'Japanese', languages: ['ja'] },
  { name: 'euc-kr', label: 'Korean', languages: ['ko'] },
  { name: 'big5', label: 'Chinese, traditional', languages: ['zh-tw', 'zh-hk', 'zh-mo', 'zh-hant'] },
  { name: 'gb18030', label: 'Chinese, simplified', languages: ['zh'] },
];

/** The most likely encoding of files from people who read this language. */
export function usualEncoding(language: string): string {
  const code = language.toLowerCase();
  const isOf = (one: string) => code === one || code.startsWith(`${one}-`);
  return ENCODINGS.find(({ languages }) => languages.some(isOf))?.name ?? WESTERN;
}
