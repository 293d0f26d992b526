import type { SettingGroup } from './setting.ts';

export const CALCULATIONS: readonly SettingGroup[] = [
  {
    title: 'Calculations',
    description:
      'What the form works out from answers while somebody fills it in. Conditions can ask for it, texts and mails can say it. It is not stored with the answers.',
    settings: [{ key: 'computed_variables', label: 'Calculations', kind: 'own', part: 'calculations' }],
  },
];
