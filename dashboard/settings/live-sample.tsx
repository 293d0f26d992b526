import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Body } from '../api/client.ts';
import type { Form } from '../api/queries.ts';
import { classes } from '../lib/classes.ts';
import { useDebounced } from '../lib/use-debounced.ts';
import { previewPathQuery } from '../share/preview-path.ts';
import { Skeleton } from '../ui/skeleton.tsx';
import { Notice } from '../ui/states.tsx';

/** Milliseconds without typing after which the page is made anew. */
const REST_MS = 400;

interface LiveSampleProps {
  form: Form;
  /** The unsaved settings. */
  patch: Body<'/open/forms/{form}/preview', 'post'>;
}

/** The form's real page with the unsaved settings. The next version loads behind the visible one. */
export function LiveSample({ form, patch }: LiveSampleProps) {
  // Compared as text, because each rendering makes a new but equal object.
  const settled = useDebounced(JSON.stringify(patch), REST_MS);
  const { data: path, error } = useQuery(previewPathQuery(form, JSON.parse(settled)));
  const [shown, setShown] = useState<string | null>(null);
  if (error && !path) return <Notice>{error.message}</Notice>;
  const pages = [...new Set([shown, path ?? null])].filter((page) => page !== null);
  return (
    <figure className="grid gap-2">
      <div className="relative h-80 overflow-hidden xl:h-120 rounded-xl border border-line bg-sunken">
        {shown === null && (
          <div className="grid gap-4 p-6">
            <Skeleton className="h-7 w-2/3" />
            <Skeleton className="h-10" />
            <Skeleton className="h-9 w-28" />
          </div>
        )}
        {pages.map((page) => (
          <iframe
            key={page}
            src={page}
            title={page === shown ? 'Sample of the form' : 'The next sample'}
            tabIndex={page === shown ? 0 : -1}
            aria-hidden={page !== shown}
            className={classes('absolute inset-0 size-full', page !== shown && 'invisible')}
            onLoad={() => setShown(page)}
          />
        ))}
      </div>
      <figcaption className="text-[0.8125rem] text-muted">
        The form with these settings, before you save. Nothing that is entered here is stored.
      </figcaption>
    </figure>
  );
}
