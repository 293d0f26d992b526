// LimeSurvey's names for its own columns, in the languages of the pages.

export const LIME_SUBMITTED: readonly string[] = [
  'date submitted',
  'سلم بتاريخ',
  'datum abgeschickt',
  'fecha de envío',
  'date de soumission',
  'तिथि प्रस्तुत',
  'data invio',
  '投稿日時',
  '제출 날짜',
  'datum verzonden',
  'data zakończenia',
  'data de submissão',
  'дата записи',
  'gönderildiği tarih',
  'дата подання',
  '提交的日期',
];

export const LIME_RESPONSE_ID: readonly string[] = [
  'response id',
  'رقم الاستجابة',
  'antwort id',
  'id de respuesta',
  'id de la réponse',
  'प्रतिक्रिया आईडी',
  'id risposta',
  '回答id',
  '응답 id',
  'respons-id',
  'id odpowiedzi',
  'id da resposta',
  'id ответа',
  'yanıt kimliği',
  'id відповіді',
  '反馈 id',
];
