import { type ReactNode, useState } from 'react';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { Input } from '../ui/input.tsx';
import type { OwnSettingProps } from './own-setting-props.ts';

/** A password that can be set, replaced and removed, but not read. */
export function PasswordSetting({ changes, problems, isDisabled }: OwnSettingProps) {
  const [isVisible, setVisible] = useState(false);
  const { values, stored, changed } = changes;
  const set = (password: string | null) => changes.changeAll({ password });
  const undo = () => set(stored.password ?? null);
  // An empty input is only being typed into, and no change yet.
  const isChanged = changed.has('password') || values.password === '';
  if (stored.has_password && !isChanged)
    return (
      <Line>
        <Badge tone="accent">Protected</Badge>
        <Button size="sm" disabledReason={reason(isDisabled)} onClick={() => set('')}>
          Change password
        </Button>
        <Button size="sm" look="quiet" disabledReason={reason(isDisabled)} onClick={() => set(null)}>
          Remove
        </Button>
      </Line>
    );
  if (stored.has_password && values.password === null)
    return (
      <Line>
        <span className="text-muted">Removed once you save.</span>
        <Button size="sm" onClick={undo}>
          Keep it
        </Button>
      </Line>
    );
  return (
    <Field
      name="password"
      label="Password"
      hint="Visitors are asked for it before they see the form. It cannot be read again here."
      errors={{ password: problems }}
    >
      <span className="flex flex-wrap gap-2">
        <Input
          type={isVisible ? 'text' : 'password'}
          className="sm:w-72"
          autoComplete="new-password"
          maxLength={255}
          placeholder={stored.has_password ? '' : 'None'}
          value={values.password ?? ''}
          disabled={isDisabled}
          onChange={({ target }) => set(target.value === '' && !stored.has_password ? null : target.value)}
        />
        {values.password && (
          <Button look="quiet" aria-pressed={isVisible} onClick={() => setVisible(!isVisible)}>
            {isVisible ? 'Hide' : 'Show'}
          </Button>
        )}
        {stored.has_password && (
          <Button look="quiet" onClick={undo}>
            Keep the old one
          </Button>
        )}
      </span>
    </Field>
  );
}

function Line({ children }: { children: ReactNode }) {
  return (
    <div className="grid gap-1.5">
      <span className="font-medium">Password</span>
      <div className="flex flex-wrap items-center gap-2">{children}</div>
    </div>
  );
}

function reason(isDisabled: boolean): string | null {
  return isDisabled ? 'You can look at the settings, but not change them.' : null;
}
