import { useState } from 'react';
import { Field } from '../ui/field.tsx';
import { Input } from '../ui/input.tsx';
import type { OwnSettingProps } from './own-setting-props.ts';

/** Tags as a text with commas, which is quick to edit. */
export function TagsSetting({ setting, changes, problems, isDisabled }: OwnSettingProps) {
  const [draft, setDraft] = useState<string | null>(null);
  return (
    <Field name="tags" label={setting.label} hint={setting.hint} errors={{ tags: problems }}>
      <Input
        value={draft ?? changes.values.tags.join(', ')}
        disabled={isDisabled}
        onChange={({ target }) => {
          setDraft(target.value);
          changes.change(setting, readTags(target.value));
        }}
        onBlur={() => setDraft(null)}
      />
    </Field>
  );
}

function readTags(text: string): string[] {
  const tags = text.split(',').map((tag) => tag.trim());
  return [...new Set(tags.filter(Boolean))];
}
