import type { Property } from '../../fields/property.ts';
import type { Form } from '../api/queries.ts';
import { idsIn } from '../form-builder/references.ts';
import { integrationName } from '../integrations/providers.ts';
import type { Integration } from '../integrations/queries.ts';
import type { Calculation } from './fields.ts';
import { namedIn } from './formula-names.ts';

/** Places where calculations may be used. */
interface Users {
  settings: Pick<Form, 'computed_variables' | 'submitted_text' | 'redirect_url' | 'endings' | 'translations'>;
  /** Published blocks, and those in the builder. */
  blocks: readonly Property[];
  integrations: readonly Pick<Integration, 'integration_id' | 'logic' | 'data'>[];
}

/** Everything that uses a calculation, in words, each once. */
export function usesOf({ id }: Pick<Calculation, 'id'>, { settings, blocks, integrations }: Users): string[] {
  const stands = (part: unknown) => idsIn(part).has(id);
  const uses = settings.computed_variables
    .filter(({ id: other, formula }) => other !== id && namedIn(formula).has(id))
    .map(({ name }) => `The calculation “${name}”`);
  for (const { name, logic, validation, ...rest } of blocks) {
    if (stands(logic)) uses.push(`The logic of “${name}”`);
    if (stands(validation)) uses.push(`The validation of “${name}”`);
    if (stands(rest)) uses.push(`The text of “${name}”`);
  }
  if (stands(settings.submitted_text)) uses.push('The thank-you text');
  if (stands(settings.redirect_url)) uses.push('The address after sending');
  for (const { name, ...ending } of settings.endings) if (stands(ending)) uses.push(`The ending “${name}”`);
  if (stands(settings.translations)) uses.push('A text in another language');
  for (const integration of integrations)
    if (stands(integration.logic) || stands(integration.data))
      uses.push(`An integration: ${integrationName(integration)}`);
  return [...new Set(uses)];
}
