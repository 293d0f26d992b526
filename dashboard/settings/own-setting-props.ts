import type { Setting } from './setting.ts';
import type { Changes } from './use-changes.ts';

/** What a control made for one setting is given. */
export interface OwnSettingProps {
  setting: Setting;
  changes: Changes;
  problems: string[];
  isDisabled: boolean;
}
