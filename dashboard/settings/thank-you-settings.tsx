import { fieldsOf } from '../calculations/fields.ts';
import { Fallbacks } from '../integrations/fallbacks.tsx';
import { MentionLine } from '../integrations/mention-line.tsx';
import type { OwnSettingProps } from './own-setting-props.ts';
import { RichTextSetting } from './rich-text-setting.tsx';
import type { Changes } from './use-changes.ts';

/** Includes unsaved calculations, which are saved together with the text. */
function mentionable({ stored, values }: Changes) {
  return fieldsOf({ properties: stored.properties, computed_variables: values.computed_variables });
}

/** The text after sending, with mentions of answers. An empty text is kept as such. */
export function ThankYouSetting({ changes, ...props }: OwnSettingProps) {
  const { setting, isDisabled } = props;
  const fields = mentionable(changes);
  const change: Changes['change'] = (changed, value) => changes.change(changed, value ?? '');
  return (
    <div className="grid grid-cols-1 gap-2">
      <RichTextSetting {...props} changes={{ ...changes, change }} fields={fields} />
      {!isDisabled && (
        <Fallbacks
          of="thank-you text"
          text={changes.values.submitted_text}
          fields={fields}
          onChange={(text) => change(setting, text)}
        />
      )}
    </div>
  );
}

/** A mention may become such a beginning: the answer decides. */
const BEGINS_AS_ADDRESS = /^\s*(https?:\/\/|<span\b)/i;
const NO_ADDRESS = 'It does not begin with https://, so visitors stay and see the thank-you text.';

/** An address with mentions of answers. */
export function RedirectSetting({ setting, changes, problems, isDisabled }: OwnSettingProps) {
  const fields = mentionable(changes);
  const { redirect_url: address } = changes.values;
  const change = (text: string) => changes.change(setting, text.trim() === '' ? null : text);
  const isBad = Boolean(address) && !BEGINS_AS_ADDRESS.test(`${address}`) && !isBegun(`${address}`);
  return (
    <div className="grid grid-cols-1 gap-2">
      <MentionLine
        label={setting.label}
        value={address ?? ''}
        placeholder="https://"
        fields={fields}
        hint={setting.hint}
        isReadOnly={isDisabled}
        problems={isBad ? [...problems, NO_ADDRESS] : problems}
        onChange={change}
      />
      {!isDisabled && <Fallbacks of="address" text={address ?? ''} fields={fields} onChange={change} />}
    </div>
  );
}

/** Whether somebody is about to type `https://`. */
function isBegun(text: string): boolean {
  return 'https://'.startsWith(text.trim().toLowerCase()) || 'http://'.startsWith(text.trim().toLowerCase());
}
