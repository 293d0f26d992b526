import { api } from '../../api/client.ts';
import { workspacesQuery } from '../../api/queries.ts';
import { useAction } from '../../api/use-action.ts';
import { submitTexts } from '../../lib/submit-texts.ts';
import { useRefusal, useWorkspace } from '../../lib/workspace.ts';
import { useTypedForm } from '../../shell/typed-forms.tsx';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { Input } from '../../ui/input.tsx';
import { Card } from '../../ui/page.tsx';

/** The service's limits for workspaces that set none. */
const DEFAULT_MEGABYTES = 25;
const DEFAULT_HOURS = 24;
/** The range that the service accepts. */
const LEAST = 0.01;
const MOST_MEGABYTES = 1_024;
const MOST_HOURS = 8_784;

const HOURS_KEY = 'external_file_links.expires_in_hours';

/** How large uploaded files may be, and how long links to files and exports work. */
export function WorkspaceLimits() {
  const workspace = useWorkspace();
  const refusal = useRefusal('admin');
  const typed = useTypedForm('The limits you typed would be lost.');
  const save = useAction(
    (texts: Record<string, string>) =>
      typed.saving(
        api.put('/open/workspaces/{workspaceId}/settings', {
          path: { workspaceId: workspace.id },
          body: {
            max_file_size: numberOrNull(texts.max_file_size),
            external_file_links: { expires_in_hours: numberOrNull(texts[HOURS_KEY]) },
          },
        }),
      ),
    { refresh: [workspacesQuery.queryKey], toast: 'Saved.' },
  );
  const number = { type: 'number', min: LEAST, step: 'any', disabled: refusal !== null };
  return (
    <Card title="Files and links">
      <form className="grid grid-cols-1 gap-4" onInput={typed.onInput} onSubmit={submitTexts(save.run)}>
        <Field
          name="max_file_size"
          label="Largest uploaded file (MB)"
          hint="For all forms of this workspace. A question may set a lower limit."
          errors={save.errors}
        >
          <Input
            {...number}
            max={MOST_MEGABYTES}
            placeholder={String(DEFAULT_MEGABYTES)}
            defaultValue={workspace.max_file_size}
          />
        </Field>
        <Field
          name={HOURS_KEY}
          label="Links to files and exports work for (hours)"
          hint="In webhooks, mails and exports. Anyone who has such a link can download the file."
          errors={save.errors}
        >
          <Input
            {...number}
            max={MOST_HOURS}
            placeholder={String(DEFAULT_HOURS)}
            defaultValue={linkHours(workspace.settings)}
          />
        </Field>
        <div>
          <Button type="submit" look="primary" isRunning={save.isRunning} disabledReason={refusal}>
            Save limits
          </Button>
        </div>
      </form>
    </Card>
  );
}

/** An empty input stands for the default. */
function numberOrNull(text = ''): number | null {
  return text === '' ? null : Number(text);
}

function linkHours({ external_file_links: links }: Record<string, unknown>): number {
  const hours = (links as { expires_in_hours?: unknown } | undefined)?.expires_in_hours;
  return typeof hours === 'number' ? hours : DEFAULT_HOURS;
}
