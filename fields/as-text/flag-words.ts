/** Words for yes in other products and spreadsheets, in the languages of the pages; LimeSurvey writes Y and N, Formbricks `accepted`. */
const YES = [
  ...['true', 'yes', 'y', '1', 'on', 'accepted'],
  ...['نعم', 'صحيح'],
  ...['ja', 'wahr'],
  ...['sí', 'si', 'verdadero'],
  ...['oui', 'vrai'],
  ...['हाँ', 'हां', 'सही', 'सत्य'],
  ...['sì', 'vero'],
  ...['はい', '真'],
  ...['예', '네', '참'],
  'waar',
  ...['tak', 'prawda'],
  ...['sim', 'verdadeiro'],
  ...['да', 'истина'],
  ...['evet', 'doğru'],
  ...['так', 'істина'],
  '是',
];
const NO = [
  ...['false', 'no', 'n', '0', 'off'],
  ...['لا', 'خطأ'],
  ...['nein', 'falsch'],
  'falso',
  ...['non', 'faux'],
  ...['नहीं', 'गलत', 'असत्य'],
  ...['いいえ', '偽'],
  ...['아니요', '아니오', '거짓'],
  ...['nee', 'onwaar'],
  ...['nie', 'fałsz'],
  'não',
  ...['нет', 'ложь'],
  ...['hayır', 'yanlış'],
  ...['ні', 'хибність'],
  ...['否', '假'],
];
const FLAGS = new Map([
  ...YES.map((word) => [folded(word), true] as const),
  ...NO.map((word) => [folded(word), false] as const),
]);

/** Whether a cell says yes or no, in any letter case; undefined if neither. */
export function flagOf(cell: string): boolean | undefined {
  return FLAGS.get(folded(cell));
}

/** Only Turkish lower case turns HAYIR into hayır. */
function folded(text: string): string {
  return text.normalize('NFC').trim().toLowerCase().replaceAll('ı', 'i');
}
