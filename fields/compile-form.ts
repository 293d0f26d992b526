import { generatesNumber, generatesUuid, hiddenDefault } from './block-options/prefill.ts';
import { answersTo, fieldPlacesOf } from './choices/option-places.ts';
import {
  type CheckOptions,
  type CheckResult,
  type CompiledAnswers,
  compileAnswers,
  type FormRules,
  readAnswer,
} from './compile-answers.ts';
import type { CompiledField } from './compile-field.ts';
import type { FieldEngines } from './engines.ts';
import { isFileText } from './file-reference.ts';
import type { SubmissionLookup } from './logic/logic.ts';
import { sharingWork } from './logic/shared-work.ts';
import { type Answers, type JsonValue, ownMember } from './property.ts';
import { holdsFiles } from './type-names.ts';
import { isUuid } from './uuid.ts';

/** A form's rules, compiled once and used for every submission. */
export interface CompiledForm extends CompiledAnswers {
  /** What conditions have to look up in stored submissions for these answers; empty for nearly all forms. */
  lookups(answers: Answers): SubmissionLookup[];
  /** Fields whose answers name files. */
  fileFieldIds: readonly string[];
  /** References to files and drawn signatures in these answers, for `findFile`; mostly none. */
  fileTexts(answers: Answers): string[];
  /** Answers that may take a place of an option with a limit; null without any, as in most forms. */
  answersForPlaces(answers: Answers): Answers | null;
  /** Fields to fill with the form's next number, unless the answer is numeric. */
  autoIncrementIds: readonly string[];
  /** Fields with generated answers, which are made once per submission: numbers and ids. */
  generatedIds: readonly string[];
}

/** Compiles the rules for answers, and what only the server needs. */
export function compileForm(form: FormRules, engines: FieldEngines): CompiledForm {
  const lookupIds = new Set<string>();
  const compiled = sharingWork(compileAnswers(form, engines, (propertyId) => lookupIds.add(propertyId)));
  const { fields } = compiled;
  const fieldsWithFiles = fields.filter((field) => holdsFiles(field.type.name));
  const fieldsToLookUp = fields.filter((field) => lookupIds.has(field.id));
  const limited = fieldPlacesOf(fields.map(({ property }) => property));
  const uuidIds = idsOf(fields, generatesUuid);
  return {
    ...compiled,
    check: (sent, options = {}) => withUuids(uuidIds, compiled.check(sent, options), options),
    lookups: (sent) =>
      fieldsToLookUp.length === 0 ? [] : fieldsToLookUp.flatMap((field) => lookupOf(field, sent)),
    fileFieldIds: fieldsWithFiles.map(({ id }) => id),
    fileTexts: (sent) => {
      // Fast path: this runs for every submission, and most forms have no such fields.
      if (fieldsWithFiles.length === 0) return [];
      return fieldsWithFiles.flatMap((field) => fileTextsOf(ownMember(sent, field.id)));
    },
    answersForPlaces: (answers) => answersTo(limited, answers),
    autoIncrementIds: idsOf(fields, generatesNumber),
    generatedIds: [...idsOf(fields, generatesNumber), ...uuidIds],
  };
}

function idsOf(fields: readonly CompiledField[], does: typeof generatesNumber): string[] {
  return fields.filter(({ property, type }) => does(property, type.name)).map(({ id }) => id);
}

/** In a complete submission, replaces answers of fields with generated ids that are no ids, unless they were there before. */
function withUuids(
  ids: string[],
  result: CheckResult,
  { partial, makeUuid, former }: CheckOptions,
): CheckResult {
  if (partial === true || makeUuid === undefined) return result;
  const { answers } = result;
  for (const id of ids) {
    const wasThere = former && answers[id] === ownMember(former, id);
    if (id in answers && !wasThere && !isUuid(answers[id])) answers[id] = makeUuid();
  }
  return result;
}

/** Accepts any answer; a wrong one is reported when it is checked. */
function fileTextsOf(answer: JsonValue | undefined): string[] {
  const texts = Array.isArray(answer) ? answer : [answer];
  return texts.filter((text) => typeof text === 'string').filter(isFileText);
}

/** The answer to look up or, without one, the default: whether that is filled in may itself depend on look-ups. */
function lookupOf(field: CompiledField, sent: Answers): SubmissionLookup[] {
  const value =
    readAnswer(field, ownMember(sent, field.id)) ??
    readAnswer(field, hiddenDefault(field.property, field.type.name, new Date()));
  return value === undefined ? [] : [{ propertyId: field.id, value }];
}
