import { LANGUAGE_OPTIONS } from '../translations/languages.ts';
import type { SettingGroup } from './setting.ts';

export const LANGUAGES: readonly SettingGroup[] = [
  {
    title: 'The form’s own language',
    settings: [
      {
        key: 'language',
        label: 'Language',
        hint: 'In which you write your texts. Buttons and messages are in it by themselves.',
        kind: 'choice',
        options: LANGUAGE_OPTIONS,
      },
    ],
  },
  {
    title: 'Other languages',
    description:
      'Visitors get the form in the language of their browser where it stands here, and may choose another. What is not translated is shown in the form’s own language; answers, exports, mails and conditions keep its words.',
    settings: [{ key: 'translations', label: 'Languages', kind: 'own', part: 'translations' }],
  },
];
