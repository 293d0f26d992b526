import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { knownBlocks } from '../../../fields/former-answers/known-blocks.ts';
import { type Ending, followingRenames } from '../../../fields/logic/endings.ts';
import { followingConditions } from '../../../fields/logic/renamed-conditions.ts';
import type { JsonValue } from '../../../fields/property.ts';
import type { Form } from '../../api/queries.ts';
import { integrationsQuery } from '../../integrations/queries.ts';
import type { Definition } from '../definition.ts';
import { type Problem, problemsOf } from './problems.ts';

/** @param mayEdit others neither see integrations nor publish */
export function useProblems(form: Form, definition: Definition, mayEdit: boolean): Problem[] {
  const { data: integrations } = useQuery({ ...integrationsQuery(String(form.id)), enabled: mayEdit });
  const { computed_variables: calculations } = form;
  return useMemo(() => {
    const known = knownBlocks(form);
    const follow = followingConditions(known, definition.properties);
    const active = (integrations ?? [])
      .filter(({ status }) => status === 'active')
      .map((one) => (follow ? { ...one, logic: follow(one.logic as JsonValue) as typeof one.logic } : one));
    const endings = followingRenames(form.endings as Ending[], known, definition.properties);
    const { confirms_email: confirmed = null } = form.settings;
    return problemsOf(definition, { calculations, endings, integrations: active, confirmed });
  }, [definition, calculations, form, integrations]);
}
