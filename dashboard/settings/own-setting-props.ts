import type { Setting } from './setting.ts';
import type { Changes } from './use-changes.ts';

/** Properties of a control made for one setting. */
export interface OwnSettingProps {
  setting: Setting;
  changes: Changes;
  problems: string[];
  isDisabled: boolean;
}
