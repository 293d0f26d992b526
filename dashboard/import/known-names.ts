import { LIME_RESPONSE_ID, LIME_SUBMITTED } from './lime-survey-names.ts';
import { COMPLETION_TIME, CREATED_AT, SOURCE_ID, STATUS } from './targets.ts';

/** Google Forms' name for the time, in the languages of the pages. */
const TIMESTAMP = [
  'طابع زمني',
  'zeitstempel',
  'marca temporal',
  'horodateur',
  'informazioni cronologiche',
  'タイムスタンプ',
  '타임스탬프',
  'tijdstempel',
  'sygnatura czasowa',
  'carimbo de data/hora',
  'отметка времени',
  'zaman damgası',
  'позначка часу',
  '时间戳记',
  '時間戳記',
];
/** Names of these columns in other products and in exports of Formstead; the first that a file has is taken. */
export const KNOWN_NAMES: readonly [key: string, ...names: string[]][] = [
  [
    CREATED_AT,
    'created_at',
    ...['_submission_time', 'submissiondate', 'recordeddate', 'recorded date', 'date modified'],
    'submitted at',
    'submit date (utc)',
    'submit date',
    'submitdate',
    ...LIME_SUBMITTED,
    'submitted',
    'created at',
    'timestamp',
    'submission date',
    'date',
    ...TIMESTAMP,
    // From Microsoft Forms, where it is a moment.
    'completion time',
  ],
  [
    SOURCE_ID,
    'submission_id',
    ...['_uuid', 'meta/instanceid', 'meta-instanceid', 'instanceid'],
    'submission id',
    ...LIME_RESPONSE_ID,
    'response_id',
    'responseid',
    'respondent id',
    'respondentid',
    '#',
    'id',
  ],
  [COMPLETION_TIME, 'completion_time', 'completion time', 'total time', 'duration (in seconds)'],
  // Qualtrics has a "status" too, but about where a response came from.
  [STATUS, 'finished', 'status', 'response type'],
];
