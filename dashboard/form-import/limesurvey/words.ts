import { tableOf } from '../json.ts';
import type { Words } from '../words.ts';

/** Options that LimeSurvey words itself, as its pages and exports have them. */
export type FixedWord = keyof typeof ENGLISH;

const ENGLISH = {
  yes: 'Yes',
  no: 'No',
  uncertain: 'Uncertain',
  increase: 'Increase',
  same: 'Same',
  decrease: 'Decrease',
  female: 'Female',
  male: 'Male',
  comment: 'Comment',
} as const;
const KEYS = Object.keys(ENGLISH) as FixedWord[];

/** In the order of the keys, by language. */
const OTHERS = tableOf<readonly string[]>({
  ar: ['نعم', 'لا', 'غير متأكد', 'زيادة', 'نفسه', 'نقصان', 'أنثى', 'ذكر', 'تعليق'],
  de: ['Ja', 'Nein', 'Unsicher', 'Zunahme', 'Unverändert', 'Abnahme', 'Weiblich', 'Männlich', 'Kommentar'],
  es: ['Sí', 'No', 'Dudoso', 'Aumento', 'Mismo', 'Disminución', 'Femenino', 'Masculino', 'Comentario'],
  fr: [
    ...['Oui', 'Non', 'Incertain', 'Augmenter', 'Sans changement', 'Diminuer'],
    ...['Féminin', 'Masculin', 'Commentaire'],
  ],
  hi: ['हां', 'नहीं', 'अनिश्चित', 'वृद्धि', 'वही', 'कमी', 'महिला', 'नर', 'टिप्पणी'],
  it: ['Sì', 'No', 'Non so', 'Aumenta', 'Uguale', 'Diminuisce', 'Femmina', 'Maschio', 'Commento'],
  ja: ['はい', 'いいえ', 'どちらでもない', '増加', '同じ', '減少', '女性', '男性', 'コメント'],
  ko: ['예', '아니오', '불확실한', '증가', '동일', '감소', '여자', '남자', '해설'],
  nl: ['Ja', 'Nee', 'Weet niet', 'Toenemend', 'Zelfde', 'Afnemend', 'Vrouw', 'Man', 'Opmerking'],
  pl: ['Tak', 'Nie', 'Nie wiem', 'Wzrost', 'Bez zmian', 'Spadek', 'Kobieta', 'Mężczyzna', 'Komentarz'],
  pt: ['Sim', 'Não', 'Incerto', 'Aumento', 'Idêntico', 'Diminuição', 'Feminino', 'Masculino', 'Comentário'],
  ru: [
    ...['Да', 'Нет', 'Не уверен', 'Увеличить', 'Без изменений', 'Уменьшить'],
    ...['Женский', 'Мужской', 'Комментарий'],
  ],
  tr: ['Evet', 'Hayır', 'Kararsız', 'Artış', 'Aynı', 'Azalma', 'Kadın', 'Erkek', 'Açıklama'],
  uk: ['Так', 'Ні', 'Невизначений', 'Зростання', 'Те ж саме', 'Спадання', 'Жіноча', 'Чоловіча', 'Коментар'],
  zh: ['是', '否', '不确定', '增加', '相同', '减少', '女', '男', '评论'],
});

/** The word in the form's languages; in English where it is not known. */
export function fixedWord(key: FixedWord, own: string, others: Iterable<string>): Words {
  const wordIn = (code: string): string => OTHERS[code]?.[KEYS.indexOf(key)] ?? ENGLISH[key];
  return {
    text: wordIn(own),
    others: Object.fromEntries([...others].map((code) => [code, wordIn(code)])),
  };
}
