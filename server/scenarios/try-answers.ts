import { compileEndings } from '../../fields/logic/endings.ts';
import type { FieldState, Moment } from '../../fields/logic/logic.ts';
import { logicScope } from '../../fields/logic/logic.ts';
import { askTogether } from '../../fields/logic/shared-work.ts';
import type { Answers, Property } from '../../fields/property.ts';
import { serverEngines } from '../../fields/server-engines.ts';
import type { Presentation } from '../forms/schemas.ts';
import { rulesOf } from '../submissions/published-form/published-form.ts';
import { NO_ENDING, type Observed } from './schemas.ts';

/** The parts of a form that decide what comes of answers. */
export interface TriedForm {
  properties: Property[];
  presentation: Presentation;
}

/** What came of some answers. */
export interface Trial {
  observed: Observed;
  /** States of all blocks by id. */
  states: ReadonlyMap<string, FieldState>;
  /** Keys among the answers that are no field of the form. */
  unknown: string[];
}

/** The same in every trial, as a calculation may name a field that generates one. */
const UUID = '00000000-0000-4000-8000-000000000000';

/** Scenarios come out the same whatever people have sent. */
const WITHOUT_SUBMISSIONS: Moment = { existsInSubmissions: () => false };

/**
 * Compiles a form once for many trials. A trial judges answers as the form's page does: those to fields that logic hides do not count.
 * References to files are taken as they are. Pure: nothing is looked up.
 */
export function compileTrial({ properties, presentation }: TriedForm): (sent: Answers) => Trial {
  const { compiled } = rulesOf({ properties, presentation }, serverEngines);
  const scope = logicScope(properties, serverEngines, compiled.variables);
  const endingFor = compileEndings(presentation.endings, scope);
  const fieldIds = new Set(compiled.fields.map(({ id }) => id));
  // Also those on pages that are left out as a whole.
  const changing = properties.filter(
    ({ id, logic }) => scope.breakOf.has(id) || (logic?.actions ?? []).length > 0,
  );
  return (sent) => {
    const { states, answers } = compiled.show(sent, WITHOUT_SUBMISSIONS);
    const result = compiled.check(answers, { ...WITHOUT_SUBMISSIONS, makeUuid: () => UUID });
    const isAccepted = result.errors === null;
    const isHidden = ({ id }: Property) => states.get(id)?.hidden === true;
    return {
      observed: {
        outcome: isAccepted ? 'accepted' : 'refused',
        errors: { ...result.errors },
        shown: changing.filter((block) => !isHidden(block)).map(({ id }) => id),
        hidden: changing.filter(isHidden).map(({ id }) => id),
        // Together, so that many costly formulas end as well.
        computed: askTogether(() =>
          Object.fromEntries([...compiled.variables].map(([id, compute]) => [id, compute(result.answers)])),
        ),
        ending: isAccepted ? (endingFor(result.answers)?.id ?? NO_ENDING) : null,
      },
      states,
      unknown: Object.keys(sent).filter((id) => !fieldIds.has(id)),
    };
  };
}
