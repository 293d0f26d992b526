import { useSuspenseQuery } from '@tanstack/react-query';
import { useParams, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { type Form, formQuery } from '../../api/queries.ts';
import { useRefusal } from '../../lib/workspace.ts';
import { Danger } from '../../settings/danger.tsx';
import { LiveSample } from '../../settings/live-sample.tsx';
import { Notifications } from '../../settings/notifications.tsx';
import { PartNav } from '../../settings/part-nav.tsx';
import { PARTS, type PartId, type SettingsPart } from '../../settings/parts.ts';
import { SaveBar } from '../../settings/save-bar.tsx';
import { SearchSample } from '../../settings/search-sample.tsx';
import { SettingField } from '../../settings/setting-field.tsx';
import { type Changes, useChanges } from '../../settings/use-changes.ts';
import { Card } from '../../ui/page.tsx';
import { Notice } from '../../ui/states.tsx';

export function FormSettings() {
  const { formId } = useParams({ from: '/app/workspaces/$workspaceId/forms/$formId' });
  const { data: form } = useSuspenseQuery(formQuery(formId));
  return <Settings key={form.id} form={form} />;
}

function Settings({ form }: { form: Form }) {
  const { part: wanted } = useSearch({ from: '/app/workspaces/$workspaceId/forms/$formId/settings' });
  const refusal = useRefusal('user');
  const changes = useChanges(form);
  const part: SettingsPart & { id: PartId } = PARTS.find(({ id }) => id === wanted) ?? PARTS[0];
  return (
    <>
      {refusal && (
        <div className="mb-5">
          <Notice>{refusal}</Notice>
        </div>
      )}
      <div className="grid grid-cols-1 gap-5 lg:grid-cols-[12rem_minmax(0,1fr)] lg:gap-8">
        <PartNav current={part.id} changes={changes} />
        {/* Extends to the bottom of the window, where the save bar is. */}
        <div className="flex min-h-[calc(100dvh-19rem)] lg:min-h-[calc(100dvh-15rem)] min-w-0 flex-col">
          <h2 className="sr-only">{part.name}</h2>
          <div className="grow">
            <PartContent part={part} form={form} changes={changes} refusal={refusal} />
          </div>
          <SaveBar changes={changes} refusal={refusal} />
        </div>
      </div>
    </>
  );
}

interface PartProps {
  part: SettingsPart & { id: PartId };
  form: Form;
  changes: Changes;
  refusal: string | null;
}

function PartContent(props: PartProps) {
  const { part, form, changes, refusal } = props;
  switch (part.id) {
    case 'notifications':
      return <Notifications />;
    case 'danger':
      return (
        <div className="grid max-w-2xl grid-cols-1 gap-5">
          <Danger form={form} refusal={refusal} />
        </div>
      );
    case 'appearance':
      return (
        <Beside sample={refusal === null && <LiveSample form={form} patch={changes.patch} />}>
          <Groups {...props} />
        </Beside>
      );
    case 'search':
      return (
        <Beside sample={<SearchSample values={changes.values} address={form.share_url} />}>
          <Groups {...props} />
        </Beside>
      );
    case 'languages':
      return <Groups {...props} />;
    default:
      return (
        <div className="max-w-2xl">
          <Groups {...props} />
        </div>
      );
  }
}

/** Settings and, beside or on phones above them, a sample of the result. */
function Beside({ sample, children }: { sample: ReactNode; children: ReactNode }) {
  return (
    <div className="grid grid-cols-1 gap-5 xl:grid-cols-[minmax(0,1fr)_22rem]">
      <div className="min-w-0 xl:order-2">
        <div className="max-w-sm xl:sticky xl:top-20">{sample}</div>
      </div>
      <div className="min-w-0">{children}</div>
    </div>
  );
}

function Groups({ part, changes, refusal }: PartProps) {
  const noAdmin = useRefusal('admin');
  return (
    <div className="grid grid-cols-1 gap-5">
      {part.groups.map(({ title, description, settings }) => (
        <Card key={title} title={title} description={description}>
          <div className="grid grid-cols-1 gap-5">
            {settings
              .filter(({ when }) => when?.(changes.values) ?? true)
              .map((setting) => (
                <SettingField
                  key={setting.key + (setting.member ?? '')}
                  setting={setting}
                  changes={changes}
                  refusal={refusal ?? (setting.adminsOnly && noAdmin ? setting.adminsOnly : null)}
                />
              ))}
          </div>
        </Card>
      ))}
    </div>
  );
}
