import { RefreshCw } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Errors } from '../api/client.ts';
import { Button } from '../ui/button.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { Field } from '../ui/field.tsx';
import { Input } from '../ui/input.tsx';
import { MASK, newSecret } from './draft.ts';

interface SecretFieldProps {
  value: string | null;
  /** A stored one can be kept instead. */
  isStored: boolean;
  errors: Errors;
  onChange(secret: string | null): void;
}

const NAME = 'data.webhook_secret';
const MOST = 1_024;

/** The secret that signs deliveries: visible while it is new, hidden afterwards. */
export function SecretField({ value, isStored, errors, onChange }: SecretFieldProps) {
  if (value === MASK)
    return (
      <Row hint="Stored encrypted, and not shown again.">
        <code className="text-muted">{MASK}</code>
        <Button size="sm" onClick={() => onChange(newSecret())}>
          Replace
        </Button>
        <Button size="sm" look="quiet" onClick={() => onChange(null)}>
          Remove
        </Button>
      </Row>
    );
  if (value === null)
    return (
      <Row hint="Without one the receiver cannot tell our deliveries from those of others.">
        <span>Not signed</span>
        <Button size="sm" onClick={() => onChange(newSecret())}>
          Add a secret
        </Button>
        {isStored && <Keep onChange={onChange} />}
      </Row>
    );
  return (
    <Field
      name={NAME}
      label="Secret"
      hint="Signs every delivery. Copy it now: once it is saved it is not shown again."
      errors={errors}
    >
      <Input
        dir="ltr"
        spellCheck={false}
        autoComplete="off"
        className="font-mono text-[0.8125rem]"
        maxLength={MOST}
        value={value}
        onChange={({ target }) => onChange(target.value)}
      />
      <span className="flex flex-wrap gap-2">
        <CopyButton text={value} />
        <Button icon={<RefreshCw className="size-4" />} onClick={() => onChange(newSecret())}>
          Generate
        </Button>
        <Button look="quiet" onClick={() => onChange(null)}>
          No secret
        </Button>
        {isStored && <Keep onChange={onChange} />}
      </span>
    </Field>
  );
}

function Row({ hint, children }: { hint: string; children: ReactNode }) {
  return (
    <div className="grid grid-cols-1 gap-1.5">
      <span className="font-medium">Secret</span>
      <span className="flex flex-wrap items-center gap-2">{children}</span>
      <p className="text-[0.8125rem] text-muted">{hint}</p>
    </div>
  );
}

function Keep({ onChange }: Pick<SecretFieldProps, 'onChange'>) {
  return (
    <Button look="quiet" onClick={() => onChange(MASK)}>
      Keep the stored one
    </Button>
  );
}
