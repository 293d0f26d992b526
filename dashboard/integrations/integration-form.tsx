import { type FormEvent, useState } from 'react';
import type { Property } from '../../fields/property.ts';
import type { Errors } from '../api/client.ts';
import { Field } from '../ui/field.tsx';
import { Input } from '../ui/input.tsx';
import { Notice } from '../ui/states.tsx';
import { FormatField, MessageFields } from './chat-fields.tsx';
import { chatById } from './chats.ts';
import { CheckField } from './check-field.tsx';
import { type Draft, headerProblem } from './draft.ts';
import { FormEnd } from './form-end.tsx';
import { HeadersField } from './headers-field.tsx';
import { type ProviderId, providerName } from './providers.ts';
import { SecretField } from './secret-field.tsx';
import { type Kept, useDraft } from './use-draft.ts';

interface IntegrationFormProps extends Kept<Draft> {
  provider: ProviderId;
  start: Draft;
  /** Whether a secret is stored. */
  hasSecret: boolean;
  /** Title of the form, the default of messages for a chat. */
  title: string;
  properties: readonly Property[];
  errors: Errors;
  isSaving: boolean;
  action: string;
  onSave(draft: Draft): void;
}

const ADDRESS = 2_048;
/** Matches the service's message about an unreachable address. */
const NOT_PUBLIC = /public IP addresses/i;

/** All settings of an integration. */
export function IntegrationForm({
  provider,
  start,
  hasSecret,
  title,
  properties,
  errors,
  isSaving,
  action,
  onSave,
  ...kept
}: IntegrationFormProps) {
  const { draft, change, question } = useDraft(start, kept);
  const [ownProblem, setOwnProblem] = useState<string | null>(null);
  const { format } = draft;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const problem = headerProblem(draft);
    setOwnProblem(problem);
    if (problem === null && !isSaving) onSave(draft);
  };
  const headerProblems = ownProblem ? [ownProblem] : (errors['data.webhook_headers'] ?? []);
  const part = { draft, errors, onChange: change };
  return (
    <form className="grid grid-cols-1 gap-6" onSubmit={submit}>
      <AddressField provider={provider} {...part} />
      {provider === 'webhook' ? <FormatField {...part} /> : <ScenarioField provider={provider} {...part} />}
      {format === null ? (
        <SecretField
          value={draft.secret}
          isStored={hasSecret}
          errors={errors}
          onChange={(secret) => change({ secret })}
        />
      ) : (
        <MessageFields {...part} draft={{ ...draft, format }} title={title} properties={properties} />
      )}
      {/* Chats need no headers, but those meant for another receiver would be sent to them as well. */}
      {(format === null || draft.headers.length > 0) && (
        <HeadersField
          headers={draft.headers}
          problems={headerProblems}
          onChange={(headers) => change({ headers })}
        />
      )}
      <CheckField
        label="Also when a response is changed"
        hint={
          format === null
            ? 'Sent with all its answers and "event": "submission.updated".'
            : 'The message says that it was changed.'
        }
        checked={draft.sendsEdits}
        problems={errors['data.sends_edits']}
        onChange={({ target }) => change({ sendsEdits: target.checked })}
      />
      <FormEnd
        conditions={draft.conditions}
        properties={properties}
        errors={errors}
        isSaving={isSaving}
        action={action}
        onChange={change}
      />
      {question}
    </form>
  );
}

interface PartProps {
  provider: ProviderId;
  draft: Draft;
  errors: Errors;
  onChange(part: Partial<Draft>): void;
}

/** Where deliveries go, and what opens an address that only the own network has. */
function AddressField({ provider, draft, errors, onChange }: PartProps) {
  const chat = chatById(draft.format);
  const asShown =
    provider === 'webhook' ? 'Gets a POST with JSON.' : `As ${providerName(provider)} shows it to you.`;
  return (
    <>
      <Field name="data.webhook_url" label="Address" hint={chat?.where ?? asShown} errors={errors}>
        <Input
          dir="ltr"
          type="url"
          inputMode="url"
          spellCheck={false}
          placeholder={chat?.placeholder ?? 'https://example.com/hook'}
          maxLength={ADDRESS}
          value={draft.url}
          onChange={({ target }) => onChange({ url: target.value })}
        />
      </Field>
      {errors['data.webhook_url']?.some((problem) => NOT_PUBLIC.test(problem)) && (
        <Notice>
          A receiver inside your own network? Whoever runs this service can open networks to webhooks with{' '}
          <code className="break-all">WEBHOOK_ALLOWED_NETWORKS</code>: see “Which addresses can be reached” in{' '}
          <code>docs/webhooks.md</code>.
        </Notice>
      )}
    </>
  );
}

/** The scenario of another product that takes the deliveries. */
function ScenarioField({ provider, draft, errors, onChange }: PartProps) {
  return (
    <Field
      name="data.provider_url"
      label={`Link to the scenario at ${providerName(provider)}`}
      hint="So that others in the workspace find it."
      errors={errors}
    >
      <Input
        dir="ltr"
        type="url"
        spellCheck={false}
        maxLength={ADDRESS}
        value={draft.providerUrl}
        onChange={({ target }) => onChange({ providerUrl: target.value })}
      />
    </Field>
  );
}
