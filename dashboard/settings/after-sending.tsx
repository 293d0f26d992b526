import type { Property } from '../../fields/property.ts';
import { HtmlEditor } from '../form-builder/texts/html-editor.tsx';
import { Fallbacks } from '../integrations/fallbacks.tsx';
import { MentionLine } from '../integrations/mention-line.tsx';

interface TextProps {
  label: string;
  hint?: string | undefined;
  value: string;
  /** Fields whose answers may be mentioned. */
  fields: readonly Property[];
  problems: readonly string[];
  isDisabled: boolean;
  onChange(text: string): void;
}

/** The words after sending, with mentions of answers. */
export function ThankYouText({ value, fields, isDisabled, onChange, ...props }: TextProps) {
  return (
    <div className="grid grid-cols-1 gap-2">
      <HtmlEditor
        {...props}
        value={value}
        fields={fields}
        isReadOnly={isDisabled}
        onChange={(html) => onChange(html ?? '')}
      />
      {!isDisabled && <Fallbacks of="thank-you text" text={value} fields={fields} onChange={onChange} />}
    </div>
  );
}

/** A mention may become such a beginning: the answer decides. */
const BEGINS_AS_ADDRESS = /^\s*(https?:\/\/|<span\b)/i;
const NO_ADDRESS = 'It does not begin with https://, so visitors stay and see the thank-you text.';

/** The address that visitors are led to after sending, with mentions of answers. */
export function NextAddress({ value, fields, problems, isDisabled, onChange, ...props }: TextProps) {
  const isBad = value !== '' && !BEGINS_AS_ADDRESS.test(value) && !isBegun(value);
  return (
    <div className="grid grid-cols-1 gap-2">
      <MentionLine
        {...props}
        value={value}
        placeholder="https://"
        fields={fields}
        isReadOnly={isDisabled}
        problems={isBad ? [...problems, NO_ADDRESS] : problems}
        onChange={onChange}
      />
      {!isDisabled && <Fallbacks of="address" text={value} fields={fields} onChange={onChange} />}
    </div>
  );
}

/** Whether somebody is about to type `https://`. */
function isBegun(text: string): boolean {
  return 'https://'.startsWith(text.trim().toLowerCase()) || 'http://'.startsWith(text.trim().toLowerCase());
}
