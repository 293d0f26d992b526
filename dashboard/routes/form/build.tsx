import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { formQuery } from '../../api/queries.ts';
import { Builder } from '../../form-builder/builder.tsx';
import { draftQuery } from '../../form-builder/saving/draft.ts';
import { Load } from '../../ui/load.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';

export function FormBuild() {
  const { formId } = useParams({ from: '/app/workspaces/$workspaceId/forms/$formId' });
  const { data: form } = useSuspenseQuery(formQuery(formId));
  const draft = useQuery(draftQuery(formId));
  return (
    <Load query={draft} skeleton={<BuilderSkeleton />}>
      {(found) => <Builder key={formId} form={form} draft={found} />}
    </Load>
  );
}

function BuilderSkeleton() {
  return (
    <div className="grid gap-4 xl:grid-cols-[11.5rem_minmax(0,1fr)_minmax(20rem,26rem)]">
      <Skeleton className="col-span-full h-9" />
      <Skeleton className="hidden h-96 rounded-xl xl:block" />
      <div className="grid content-start gap-2">
        {Array.from({ length: 6 }, (_, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike
          <Skeleton key={index} className="h-11 rounded-xl" />
        ))}
      </div>
      <Skeleton className="hidden h-96 rounded-xl xl:block" />
    </div>
  );
}
