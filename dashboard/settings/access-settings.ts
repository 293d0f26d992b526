import type { SettingGroup } from './setting.ts';

const ZONE = new Intl.DateTimeFormat().resolvedOptions().timeZone;

export const ACCESS: readonly SettingGroup[] = [
  {
    title: 'Who can fill it in',
    settings: [
      { key: 'visibility', label: 'State', kind: 'own', part: 'state' },
      { key: 'password', label: 'Password', kind: 'own', part: 'password' },
      {
        key: 'use_captcha',
        label: 'Ask visitors to prove they are people',
        hint: 'A short computation of the browser, unless your operator set up a service for it.',
        kind: 'switch',
      },
      {
        key: 'captcha_provider',
        label: 'Service for the proof',
        hint: 'Used where your operator has keys for it; otherwise the built-in proof, which asks nobody.',
        kind: 'choice',
        options: [
          ['recaptcha', 'reCAPTCHA'],
          ['hcaptcha', 'hCaptcha'],
          ['turnstile', 'Turnstile'],
        ],
        when: ({ use_captcha: isOn }) => isOn,
      },
      {
        key: 'settings',
        member: 'sets_spam_aside',
        label: 'Set suspected spam aside',
        hint: 'What programs seem to have filled in, has many links, or comes again and again waits apart from the responses, with the reason. You decide; after 30 days it is deleted.',
        kind: 'switch',
      },
      {
        key: 'settings',
        member: 'confirms_email',
        label: 'Address that has to be confirmed',
        hint: 'Whoever gives it is mailed a link. Their response counts once they have opened it and pressed the button; until then it waits apart, for 7 days.',
        kind: 'own',
        part: 'confirmed-email',
      },
    ],
  },
  {
    title: 'Opening and closing',
    settings: [
      {
        key: 'opens_at',
        label: 'Opens at',
        hint: 'Until then visitors see when it opens. The page opens by itself.',
        kind: 'moment',
      },
      { key: 'closes_at', label: 'Closes at', hint: `In your time zone, ${ZONE}.`, kind: 'moment' },
      {
        key: 'closed_text',
        label: 'Text once it is closed',
        kind: 'own',
        part: 'rich-text',
      },
      {
        key: 'max_submissions_count',
        label: 'Limit on responses',
        hint: 'Never exceeded, however many arrive at the same time.',
        kind: 'number',
        min: 1,
        max: Number.MAX_SAFE_INTEGER,
        placeholder: 'No limit',
      },
      {
        key: 'max_submissions_reached_text',
        label: 'Text once it is full',
        kind: 'own',
        part: 'rich-text',
        when: ({ max_submissions_count: most }) => most !== null,
      },
    ],
  },
];
