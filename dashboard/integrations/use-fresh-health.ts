import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { integrationQuery, integrationsQuery, waitingQuery } from './queries.ts';

/** Loads an integration's health and the number of waiting deliveries again when its known deliveries change. */
export function useFreshHealth(form: string, integrationId: string, known: unknown): void {
  const client = useQueryClient();
  useEffect(() => {
    if (known === undefined) return;
    for (const { queryKey } of [
      integrationQuery(form, integrationId),
      waitingQuery(form, integrationId),
      integrationsQuery(form),
    ])
      void client.invalidateQueries({ queryKey, exact: true });
  }, [client, form, integrationId, known]);
}
