import { ACCESS } from './access-settings.ts';
import { ADVANCED } from './advanced-settings.ts';
import { AFTER_SENDING, SUBMISSIONS } from './answer-settings.ts';
import { APPEARANCE, TEXTS } from './appearance-settings.ts';
import { CALCULATIONS } from './calculation-settings.ts';
import { LANGUAGES } from './language-settings.ts';
import { SEARCH } from './search-settings.ts';
import type { SettingGroup } from './setting.ts';

export interface SettingsPart {
  id: string;
  name: string;
  groups: readonly SettingGroup[];
}

/** The settings of a form by topic. The first part is the default. */
export const PARTS = [
  { id: 'appearance', name: 'Appearance', groups: APPEARANCE },
  { id: 'texts', name: 'Texts', groups: TEXTS },
  { id: 'languages', name: 'Languages', groups: LANGUAGES },
  { id: 'access', name: 'Access and closing', groups: ACCESS },
  { id: 'submissions', name: 'Submissions', groups: SUBMISSIONS },
  { id: 'after', name: 'After sending', groups: AFTER_SENDING },
  { id: 'calculations', name: 'Calculations', groups: CALCULATIONS },
  { id: 'notifications', name: 'Notifications', groups: [] },
  { id: 'search', name: 'Search engines', groups: SEARCH },
  { id: 'advanced', name: 'Advanced', groups: ADVANCED },
  { id: 'danger', name: 'Close or delete', groups: [] },
] as const satisfies readonly SettingsPart[];

export type PartId = (typeof PARTS)[number]['id'];
