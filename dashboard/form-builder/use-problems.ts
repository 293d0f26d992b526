import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { Ending } from '../../fields/endings.ts';
import type { Form } from '../api/queries.ts';
import { integrationsQuery } from '../integrations/queries.ts';
import type { Definition } from './edits.ts';
import { type Problem, problemsOf } from './problems.ts';

/** @param mayEdit others neither see integrations nor publish */
export function useProblems(form: Form, definition: Definition, mayEdit: boolean): Problem[] {
  const { data: integrations } = useQuery({ ...integrationsQuery(String(form.id)), enabled: mayEdit });
  const { computed_variables: calculations } = form;
  const endings = form.endings as Ending[];
  return useMemo(() => {
    const active = integrations?.filter(({ status }) => status === 'active') ?? [];
    return problemsOf(definition, { calculations, endings, integrations: active });
  }, [definition, calculations, endings, integrations]);
}
