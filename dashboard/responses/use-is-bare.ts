import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import type { Form } from '../api/queries.ts';
import { hasAnyQuery } from './queries.ts';
import type { Shown } from './views/use-shown.ts';

/**
 * Whether the form has no response at all, so that there is nothing to search, to filter or to export. What was once there for
 * the eye of whoever is on the screen stays.
 * @param count how many responses the list holds; undefined while it is loading
 */
export function useIsBare(form: Form, { address, views }: Shown, count: number | undefined): boolean {
  const isUsual = Object.keys(address).length === 0 && views.length === 0;
  const mayBeBare = isUsual && form.submissions_count === 0 && !count;
  const { data: hasAny = false } = useQuery({
    ...hasAnyQuery(String(form.id)),
    enabled: mayBeBare && count !== undefined,
  });
  const hasShown = useRef(false);
  if (!mayBeBare || hasAny) hasShown.current = true;
  return !hasShown.current;
}
