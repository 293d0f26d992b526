import { isDeepStrictEqual } from 'node:util';
import type { Answers } from '../../fields/property.ts';
import { callerOf, FORM_READING, FORM_WRITING, formOf } from '../access/guard.ts';
import { actorOf } from '../audit/actor.ts';
import { recordEvent } from '../audit/record-event.ts';
import type { Context } from '../context.ts';
import type { Db, Transaction } from '../db/database.ts';
import { holdFormIn, lockFormIn } from '../forms/lock-form.ts';
import { namedForm } from '../forms/named-form.ts';
import type { FormRow } from '../forms/queries.ts';
import type { App } from '../http/app-type.ts';
import { invalid, notFound } from '../http/errors.ts';
import { whenClientLeaves } from '../http/response/client-left.ts';
import { untilSent } from '../http/response/long-answers.ts';
import { saveNamed } from '../http/save-named.ts';
import { requireId } from '../http/schemas/ids.ts';
import { success } from '../http/schemas/success.ts';
import { checkContent, completeExpectation, TOO_LONG } from './content.ts';
import {
  countScenarios,
  deleteScenario,
  findScenario,
  insertScenario,
  lengthOfScenarios,
  listScenarios,
  NAME_INDEX,
  type ScenarioContent,
  type ScenarioRow,
  updateScenario,
} from './queries.ts';
import { runInTurn, runScenarios, stateOf } from './run-scenarios.ts';
import {
  createSchema,
  deleteSchema,
  type Expected,
  listSchema,
  MAX_ALL,
  MAX_SCENARIOS,
  runSchema,
  type Scenario,
  updateSchema,
} from './schemas.ts';

const UNIQUE_NAME = { noun: 'scenario', index: NAME_INDEX };

/** A scenario has a name, answers, and what should come of them; it is run against the draft or the published form. */
export function registerScenarioRoutes(app: App, { db }: Context): void {
  app.get('/open/forms/:form/scenarios', { config: FORM_READING, schema: listSchema }, async (request) =>
    (await listScenarios(db, formOf(request).id)).map(presentScenario),
  );

  app.post(
    '/open/forms/:form/scenarios',
    { config: FORM_WRITING, schema: createSchema },
    async (request, reply) => {
      const form = formOf(request);
      const { answers, expected, blocks_publishing = false } = request.body;
      const content = {
        name: request.body.name.trim(),
        answers,
        expected: expected
          ? completeExpectation(expected)
          : await runInTurn(callerOf(request).userId)(
              async () => expectedNow(db, await namedForm(db, request), answers),
              whenClientLeaves(reply),
            ),
        blocks_publishing,
      };
      checkContent(content);
      const scenario = await saveNamed(db, UNIQUE_NAME, async (trx) => {
        // Locked, so that two requests together add no more than there may be.
        await lockFormIn(trx, form);
        if ((await countScenarios(trx, form.id)) >= MAX_SCENARIOS)
          throw invalid({ name: [`A form may not have more than ${MAX_SCENARIOS} scenarios.`] });
        const id = await insertScenario(trx, form.id, content, callerOf(request).userId);
        if ((await lengthOfScenarios(trx, form.id)) > MAX_ALL) throw invalid({ answers: [TOO_LONG] });
        const target = { id, name: content.name };
        await recordEvent(trx, actorOf(request), { verb: 'scenario.created', formId: form.id, target });
        return presentScenario(await scenarioIn(trx, form.id, id));
      });
      return success('Scenario successfully created.', { scenario });
    },
  );

  app.put(
    '/open/forms/:form/scenarios/:scenarioId',
    { config: FORM_WRITING, schema: updateSchema },
    async (request) => {
      const form = formOf(request);
      const id = requireId(request.params.scenarioId, 'Scenario');
      const { name, answers, expected, blocks_publishing } = request.body;
      const scenario = await saveNamed(db, UNIQUE_NAME, async (trx) => {
        await lockFormIn(trx, form);
        const before = await scenarioIn(trx, form.id, id);
        const after: ScenarioContent = {
          name: name?.trim() ?? before.name,
          answers: answers ?? before.answers,
          expected: expected ? completeExpectation(expected) : before.expected,
          blocks_publishing: blocks_publishing ?? before.blocks_publishing,
        };
        checkContent(after);
        const changed = (['name', 'answers', 'expected', 'blocks_publishing'] as const).filter(
          (member) => !isDeepStrictEqual(after[member], before[member]),
        );
        if (changed.length > 0) {
          const length = await lengthOfScenarios(trx, form.id);
          await updateScenario(trx, id, after);
          const lengthAfter = await lengthOfScenarios(trx, form.id);
          if (lengthAfter > Math.max(MAX_ALL, length)) throw invalid({ answers: [TOO_LONG] });
          const target = { id, name: after.name };
          const event = { verb: 'scenario.changed', formId: form.id, target } as const;
          await recordEvent(trx, actorOf(request), { ...event, details: { fields: changed } });
        }
        return presentScenario(await scenarioIn(trx, form.id, id));
      });
      return success('Scenario successfully updated.', { scenario });
    },
  );

  app.delete(
    '/open/forms/:form/scenarios/:scenarioId',
    { config: FORM_WRITING, schema: deleteSchema },
    async (request) => {
      const form = formOf(request);
      const id = requireId(request.params.scenarioId, 'Scenario');
      await db.transaction().execute(async (trx) => {
        await holdFormIn(trx, form);
        const name = await deleteScenario(trx, form.id, id);
        if (name === null) throw notFound('Scenario');
        const event = { verb: 'scenario.deleted', formId: form.id, target: { id, name } } as const;
        await recordEvent(trx, actorOf(request), event);
      });
      return success('Scenario successfully deleted.');
    },
  );

  app.post(
    '/open/forms/:form/scenarios/run',
    { config: FORM_READING, schema: runSchema },
    (request, reply) => {
      const { against = 'draft', scenarios: only } = request.body ?? {};
      const leaving = whenClientLeaves(reply);
      return untilSent(reply, runInTurn(callerOf(request).userId), async () => {
        const form = await namedForm(db, request);
        const all = await listScenarios(db, form.id);
        const missing = only?.find((id) => !all.some((scenario) => scenario.id === id));
        if (missing !== undefined) throw invalid({ scenarios: [`The form has no scenario ${missing}.`] });
        const state = await stateOf(db, form, against);
        const wanted = all.filter(({ id }) => only?.includes(id) ?? true);
        const results = await runScenarios(state, wanted, leaving);
        return { against: state.against, passed: results.every(({ passed }) => passed), results };
      });
    },
  );
}

/** What comes of answers now: in the draft, or without one in the published form. */
async function expectedNow(db: Db, form: FormRow, answers: Answers): Promise<Expected> {
  const nothing = completeExpectation({ outcome: 'accepted' });
  const scenario = { id: 0, name: '', answers, expected: nothing, blocks_publishing: false };
  const [result] = await runScenarios(await stateOf(db, form, 'draft'), [scenario]);
  if (!result) return nothing;
  const { errors, ...observed } = result.observed;
  return { ...observed, errors: Object.keys(errors) };
}

async function scenarioIn(trx: Transaction, formId: number, id: number): Promise<ScenarioRow> {
  const row = await findScenario(trx, formId, id);
  if (!row) throw notFound('Scenario');
  return row;
}

function presentScenario({ created_at, updated_at, ...row }: ScenarioRow): Scenario {
  return { ...row, created_at: created_at.toISOString(), updated_at: updated_at.toISOString() };
}
