import type { SettingGroup } from './setting.ts';

const BUTTON = 50;

export const SUBMISSIONS: readonly SettingGroup[] = [
  {
    title: 'While somebody fills it in',
    settings: [
      {
        key: 'auto_save',
        label: 'Keep answers in the visitor’s browser',
        hint: 'Whoever comes back to an unfinished form goes on where they were.',
        kind: 'switch',
      },
      {
        key: 'settings',
        member: 'works_offline',
        label: 'Let people fill it in without a network',
        hint: 'Whoever has opened it once can do so. Answers are kept on the device, and sent when there is a network. Not with a payment, a password, a captcha or personal links alone.',
        kind: 'switch',
      },
      {
        key: 'enable_partial_submissions',
        label: 'Take unfinished answers',
        hint: 'You see what was answered so far, apart from the complete ones.',
        kind: 'switch',
      },
    ],
  },
  {
    title: 'Afterwards',
    settings: [
      {
        key: 'editable_submissions',
        label: 'Let people change their answers',
        hint: 'With the link they get after sending. Integrations get it as edit_link.',
        kind: 'switch',
      },
      {
        key: 'editable_submissions_button_text',
        label: 'Button for it',
        kind: 'text',
        maxLength: BUTTON,
        isRequired: true,
        when: ({ editable_submissions: isOn }) => isOn,
      },
      {
        key: 'settings',
        member: 'forget_changes',
        label: 'Forget what answers said before they were changed',
        hint: 'By the people who gave them, or by members. Otherwise it stands below the response. What is kept already stays until it is deleted there.',
        kind: 'switch',
      },
    ],
  },
  {
    title: 'Retention',
    description: 'How long responses are kept. Older ones are deleted for good, with their files.',
    settings: [
      { key: 'submission_retention_value', label: 'Keep responses', kind: 'own', part: 'retention' },
    ],
  },
];

export const AFTER_SENDING: readonly SettingGroup[] = [
  {
    title: 'What the visitor sees',
    settings: [
      {
        key: 'submitted_text',
        label: 'Thank-you text',
        kind: 'own',
        part: 'thank-you',
      },
      {
        key: 'redirect_url',
        label: 'Go to another page instead',
        hint: 'Its address, beginning with https://. Answers in it are encoded by themselves.',
        kind: 'own',
        part: 'redirect',
      },
      { key: 'confetti_on_submission', label: 'Confetti', kind: 'switch' },
      { key: 're_fillable', label: 'Offer to fill it in again', kind: 'switch' },
      {
        key: 're_fill_button_text',
        label: 'Button for it',
        kind: 'text',
        maxLength: BUTTON,
        placeholder: 'In the form’s language',
        when: ({ re_fillable: isOn }) => isOn,
      },
      {
        key: 'settings',
        member: 'gives_receipts',
        label: 'Offer a receipt',
        hint: 'A page with the answers and when they came, to print, and a signed copy that proves both. Visitors who are led to another page do not see it.',
        kind: 'switch',
      },
    ],
  },
  {
    title: 'Endings for some answers',
    description:
      'Instead of text and address above, for those whose answers meet the conditions. The first that fits counts.',
    settings: [{ key: 'endings', label: 'Endings', kind: 'own', part: 'endings' }],
  },
  {
    title: 'Results',
    settings: [
      {
        key: 'settings',
        member: 'public_results',
        label: 'Show results to everybody',
        hint: 'On a page of their own, which the thank-you page leads to. Only what the form itself offers is shown, never what somebody wrote. Not while the form has a password.',
        kind: 'own',
        part: 'results',
      },
    ],
  },
];
