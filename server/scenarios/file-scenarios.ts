import { isDeepStrictEqual } from 'node:util';
import type { FastifySchemaValidationError } from 'fastify';
import Type, { type Static } from 'typebox';
import { addError, type ErrorBag, emptyErrorBag, isJsonObject } from '../../fields/property.ts';
import { storageProblem } from '../../fields/storable.ts';
import type { Actor } from '../audit/actor.ts';
import { recordEvent } from '../audit/record-event.ts';
import { violates } from '../db/constraint-errors.ts';
import type { Db, Transaction } from '../db/database.ts';
import { invalid } from '../http/errors.ts';
import { validationMessages } from '../http/schemas/validation-messages.ts';
import { createValidatorCompiler } from '../http/schemas/validators.ts';
import { completeExpectation, contentProblems, TOO_LONG } from './content.ts';
import {
  deleteScenario,
  insertScenario,
  listScenarios,
  NAME_INDEX,
  type ScenarioContent,
  updateScenario,
} from './queries.ts';
import { FileScenario, MAX_ALL, MAX_SCENARIOS } from './schemas.ts';

/** What applying a file does to scenarios, by their names. */
export interface ScenarioChanges {
  added: string[];
  changed: string[];
  removed: string[];
}

export const UNCHANGED: Readonly<ScenarioChanges> = { added: [], changed: [], removed: [] };
const CONTENT = ['name', 'answers', 'expected', 'blocks_publishing'] as const;

/** Compiled when the first file is checked. */
let validate: ReturnType<ReturnType<typeof createValidatorCompiler>> | undefined;

/** The scenarios of a form as a file holds them, oldest first. */
export async function scenariosForFile(db: Db, formId: number): Promise<ScenarioContent[]> {
  return (await listScenarios(db, formId)).map(contentOf);
}

/**
 * Reads the scenarios that a file names.
 * @returns null when it names none, or has problems
 */
export function readFileScenarios(body: unknown): {
  scenarios: ScenarioContent[] | null;
  problems: ErrorBag;
} {
  if (!isJsonObject(body) || body.scenarios === undefined)
    return { scenarios: null, problems: emptyErrorBag() };
  const { scenarios: sent } = body;
  const problems = schemaProblems(sent);
  if (Object.keys(problems).length > 0) return { scenarios: null, problems };
  const scenarios = (sent as unknown as Static<typeof FileScenario>[]).map(
    ({ name, answers, expected, blocks_publishing = false }) => ({
      name: name.trim(),
      answers,
      expected: completeExpectation(expected),
      blocks_publishing,
    }),
  );
  const lengths = scenarios.map(({ answers, expected }) => JSON.stringify([answers, expected]).length);
  if (lengths.reduce((sum, length) => sum + length, 0) > MAX_ALL) addError(problems, 'scenarios', TOO_LONG);
  const names = new Set<string>();
  for (const [index, scenario] of scenarios.entries()) {
    for (const [key, messages] of Object.entries(contentProblems(scenario)))
      for (const message of messages) addError(problems, `scenarios.${index}.${key}`, message);
    const name = scenario.name.toLowerCase();
    if (names.has(name))
      addError(problems, `scenarios.${index}.name`, 'Another scenario in the file has this name.');
    names.add(name);
  }
  return { scenarios, problems };
}

function schemaProblems(scenarios: unknown): ErrorBag {
  validate ??= createValidatorCompiler()({
    schema: Type.Object({ scenarios: Type.Array(FileScenario, { maxItems: MAX_SCENARIOS }) }),
    httpPart: 'body',
    method: 'PUT',
    url: '',
  });
  // Ajv stores its errors as a property of the function.
  const { errors = [] } = validate({ scenarios })
    ? {}
    : (validate as { errors?: FastifySchemaValidationError[] });
  const problems = validationMessages(errors);
  const unstorable = storageProblem(scenarios, 2);
  if (unstorable !== null) addError(problems, 'scenarios', unstorable);
  return problems;
}

/**
 * Makes the scenarios of a form those of a file; they are told apart by their names.
 * @param wanted null: the file does not name any, and all stay
 */
export async function applyScenarios(
  trx: Transaction,
  formId: number,
  wanted: readonly ScenarioContent[] | null,
  actor: Actor,
): Promise<ScenarioChanges> {
  if (wanted === null) return UNCHANGED;
  const changes: ScenarioChanges = { added: [], changed: [], removed: [] };
  const present = new Map((await listScenarios(trx, formId)).map((row) => [row.name.toLowerCase(), row]));
  const note = (verb: 'created' | 'changed' | 'deleted', id: number, name: string, fields?: string[]) =>
    recordEvent(trx, actor, {
      verb: `scenario.${verb}`,
      formId,
      target: { id, name },
      ...(fields && { details: { fields } }),
    });
  const kept = new Set(wanted.map(({ name }) => name.toLowerCase()));
  // First, so that no new name meets one that goes.
  for (const [key, { id, name }] of present) {
    if (kept.has(key)) continue;
    await deleteScenario(trx, formId, id);
    await note('deleted', id, name);
    changes.removed.push(name);
  }
  for (const content of wanted) {
    const row = present.get(content.name.toLowerCase());
    if (!row) {
      const id = await insertScenario(trx, formId, content, null).catch(refuseEqualName(content.name));
      await note('created', id, content.name);
      changes.added.push(content.name);
      continue;
    }
    const fields = CONTENT.filter((member) => !isDeepStrictEqual(content[member], row[member]));
    if (fields.length === 0) continue;
    await updateScenario(trx, row.id, content).catch(refuseEqualName(content.name));
    await note('changed', row.id, content.name, fields);
    changes.changed.push(content.name);
  }
  return changes;
}

/** The database may hold names equal that are not the same in JavaScript, such as those with a final sigma. */
function refuseEqualName(name: string): (error: unknown) => never {
  return (error) => {
    throw violates(error, NAME_INDEX)
      ? invalid({ scenarios: [`Another scenario has the same name as “${name}”.`] })
      : error;
  };
}

function contentOf({ name, answers, expected, blocks_publishing }: ScenarioContent): ScenarioContent {
  return { name, answers, expected, blocks_publishing };
}
