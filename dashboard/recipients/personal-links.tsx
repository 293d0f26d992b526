import { useQuery } from '@tanstack/react-query';
import type { Form } from '../api/queries.ts';
import { useRefusal } from '../lib/workspace.ts';
import { Load } from '../ui/load.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { Notice } from '../ui/states.tsx';
import { LinkSettings } from './link-settings.tsx';
import { linkSettingsQuery } from './queries.ts';
import { RecipientList } from './recipient-list.tsx';

/** The recipients of a form, each with a personal link. */
export function PersonalLinks({ form }: { form: Form }) {
  if (useRefusal('user') !== null)
    return <Notice>Only editors see personal links: whoever has one can answer with it.</Notice>;
  return <Links form={form} />;
}

function Links({ form }: { form: Form }) {
  const settings = useQuery(linkSettingsQuery(String(form.id)));
  return (
    <Load query={settings} skeleton={<Skeleton className="h-56 max-w-2xl" />}>
      {(known) => (
        <div className="grid grid-cols-1 items-start gap-5 xl:grid-cols-[minmax(0,1fr)_20rem]">
          <RecipientList form={form} settings={known} />
          <LinkSettings form={String(form.id)} settings={known} />
        </div>
      )}
    </Load>
  );
}
