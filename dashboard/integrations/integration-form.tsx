import { type FormEvent, useState } from 'react';
import type { Property } from '../../fields/property.ts';
import type { Errors } from '../api/client.ts';
import { Problems } from '../settings/problems.tsx';
import { Checkbox } from '../ui/checkbox.tsx';
import { Field } from '../ui/field.tsx';
import { Input } from '../ui/input.tsx';
import { Notice } from '../ui/states.tsx';
import { FormatField, MessageFields } from './chat-fields.tsx';
import { chatById } from './chats.ts';
import { type Draft, headerProblem } from './draft.ts';
import { FormEnd } from './form-end.tsx';
import { HeadersField } from './headers-field.tsx';
import { type ProviderId, providerName } from './providers.ts';
import { SecretField } from './secret-field.tsx';
import { useDraft } from './use-draft.ts';

interface IntegrationFormProps {
  provider: ProviderId;
  start: Draft;
  /** What was last saved here; null if nothing was. */
  saved?: Draft | null;
  /** Whether a secret is stored. */
  hasSecret: boolean;
  /** Title of the form, the default of messages for a chat. */
  title: string;
  properties: readonly Property[];
  errors: Errors;
  isSaving: boolean;
  action: string;
  /** Called with whether it differs from what is stored. */
  onDirty?: (isDirty: boolean) => void;
  onSave(draft: Draft): void;
}

const ADDRESS = 2_048;
/** Matches the service's message about an unreachable address. */
const NOT_PUBLIC = /public IP addresses/i;

/** All settings of an integration. */
export function IntegrationForm({
  provider,
  start,
  saved = null,
  hasSecret,
  title,
  properties,
  errors,
  isSaving,
  action,
  onDirty,
  onSave,
}: IntegrationFormProps) {
  const { draft, change, question } = useDraft(start, { saved, isSaving, onDirty });
  const [ownProblem, setOwnProblem] = useState<string | null>(null);
  const { format } = draft;
  const chat = chatById(format);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const problem = headerProblem(draft);
    setOwnProblem(problem);
    if (problem === null && !isSaving) onSave(draft);
  };
  const headerProblems = ownProblem ? [ownProblem] : (errors['data.webhook_headers'] ?? []);
  return (
    <form className="grid grid-cols-1 gap-6" onSubmit={submit}>
      <Field
        name="data.webhook_url"
        label="Address"
        hint={
          chat?.where ??
          (provider === 'webhook'
            ? 'Gets a POST with JSON.'
            : `As ${providerName(provider)} shows it to you.`)
        }
        errors={errors}
      >
        <Input
          dir="ltr"
          type="url"
          inputMode="url"
          spellCheck={false}
          placeholder={chat?.placeholder ?? 'https://example.com/hook'}
          maxLength={ADDRESS}
          value={draft.url}
          onChange={({ target }) => change({ url: target.value })}
        />
      </Field>
      {errors['data.webhook_url']?.some((problem) => NOT_PUBLIC.test(problem)) && (
        <Notice>
          A receiver inside your own network? Whoever runs this service can open networks to webhooks with{' '}
          <code className="break-all">WEBHOOK_ALLOWED_NETWORKS</code>: see “Which addresses can be reached” in{' '}
          <code>docs/webhooks.md</code>.
        </Notice>
      )}
      {provider === 'webhook' ? (
        <FormatField draft={draft} errors={errors} onChange={change} />
      ) : (
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
            onChange={({ target }) => change({ providerUrl: target.value })}
          />
        </Field>
      )}
      {format === null ? (
        <SecretField
          value={draft.secret}
          isStored={hasSecret}
          errors={errors}
          onChange={(secret) => change({ secret })}
        />
      ) : (
        <MessageFields
          draft={{ ...draft, format }}
          title={title}
          properties={properties}
          errors={errors}
          onChange={change}
        />
      )}
      {/* Chats need no headers, but those meant for another receiver would be sent to them as well. */}
      {(format === null || draft.headers.length > 0) && (
        <HeadersField
          headers={draft.headers}
          problems={headerProblems}
          onChange={(headers) => change({ headers })}
        />
      )}
      <div className="grid grid-cols-1 gap-2">
        <Checkbox
          label="Also when a response is changed"
          hint={
            format === null
              ? 'Sent with all its answers and "event": "submission.updated".'
              : 'The message says that it was changed.'
          }
          checked={draft.sendsEdits}
          onChange={({ target }) => change({ sendsEdits: target.checked })}
        />
        <Problems texts={errors['data.sends_edits'] ?? []} />
      </div>
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
