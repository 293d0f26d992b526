import type { Property } from '../../fields/property.ts';
import { HtmlEditor } from '../form-builder/texts/html-editor.tsx';
import type { OwnSettingProps } from './own-setting-props.ts';
import { settingValue } from './setting.ts';

interface RichTextSettingProps extends OwnSettingProps {
  /** Fields whose answers may be mentioned. */
  fields?: readonly Property[];
}

/** A text with bold and links. */
export function RichTextSetting({ setting, changes, problems, isDisabled, fields }: RichTextSettingProps) {
  return (
    <HtmlEditor
      label={setting.label}
      value={String(settingValue(changes.values, setting) ?? '')}
      hint={setting.hint}
      isReadOnly={isDisabled}
      problems={problems}
      fields={fields}
      onChange={(html) => changes.change(setting, html ?? null)}
    />
  );
}
