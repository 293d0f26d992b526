import type { Property } from '../../fields/property.ts';
import { fieldsOf } from '../calculations/fields.ts';
import { NextAddress, ThankYouText } from './after-sending.tsx';
import type { OwnSettingProps } from './own-setting-props.ts';
import type { Changes } from './use-changes.ts';

/** What settings may mention and ask for: includes unsaved calculations, which are saved together with them. */
export function fieldsIn({ stored, values }: Changes): Property[] {
  return fieldsOf({ properties: stored.properties, computed_variables: values.computed_variables });
}

/** The text after sending. An empty text is kept as such. */
export function ThankYouSetting({ setting, changes, ...props }: OwnSettingProps) {
  return (
    <ThankYouText
      {...props}
      label={setting.label}
      hint={setting.hint}
      value={changes.values.submitted_text}
      fields={fieldsIn(changes)}
      onChange={(text) => changes.change(setting, text)}
    />
  );
}

export function RedirectSetting({ setting, changes, ...props }: OwnSettingProps) {
  return (
    <NextAddress
      {...props}
      label={setting.label}
      hint={setting.hint}
      value={changes.values.redirect_url ?? ''}
      fields={fieldsIn(changes)}
      onChange={(text) => changes.change(setting, text.trim() === '' ? null : text)}
    />
  );
}
