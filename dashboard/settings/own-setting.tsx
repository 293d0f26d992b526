import type { ReactNode } from 'react';
import { CalculationsSetting } from '../calculations/calculations-setting.tsx';
import { TranslationsSetting } from '../translations/translations-setting.tsx';
import { ConfirmedEmailSetting } from './confirmed-email-setting.tsx';
import { EndingsSetting } from './endings-setting.tsx';
import { FocalPoint } from './focal-point.tsx';
import type { OwnSettingProps } from './own-setting-props.ts';
import { PasswordSetting } from './password-setting.tsx';
import { RecordFields } from './record-fields.tsx';
import { ResultsSetting } from './results-setting.tsx';
import { RetentionSetting } from './retention-setting.tsx';
import { RichTextSetting } from './rich-text-setting.tsx';
import type { OwnPart } from './setting.ts';
import { StateSetting } from './state-setting.tsx';
import { TagsSetting } from './tags-setting.tsx';
import { RedirectSetting, ThankYouSetting } from './thank-you-settings.tsx';

const CONTROLS: Record<OwnPart, (props: OwnSettingProps) => ReactNode> = {
  state: StateSetting,
  password: PasswordSetting,
  retention: RetentionSetting,
  tags: TagsSetting,
  calculations: CalculationsSetting,
  'focal-point': FocalPoint,
  'record-fields': RecordFields,
  'rich-text': RichTextSetting,
  'thank-you': ThankYouSetting,
  redirect: RedirectSetting,
  endings: EndingsSetting,
  results: ResultsSetting,
  'confirmed-email': ConfirmedEmailSetting,
  translations: TranslationsSetting,
};

/** The controls for settings that need more than one input. */
export function OwnSetting({ part, ...props }: OwnSettingProps & { part: OwnPart }) {
  const Control = CONTROLS[part];
  return <Control {...props} />;
}
