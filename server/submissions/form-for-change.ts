import { textOf } from '../../fields/as-text/text-of.ts';
import { optional, withoutRemoved } from '../../fields/block-options/answer-retention.ts';
import { withoutDefault } from '../../fields/block-options/prefill.ts';
import type { FieldEngines } from '../../fields/engines.ts';
import type { AnswerRules } from '../../fields/field-type.ts';
import { withFormerDefaults } from '../../fields/former-answers/former-defaults.ts';
import { withoutPassedDays } from '../../fields/former-answers/kept-dates.ts';
import { refusedOf, unmendable } from '../../fields/former-answers/unmendable.ts';
import { type Answers, type JsonValue, ownMember, type Property } from '../../fields/property.ts';
import { serverEngines } from '../../fields/server-engines.ts';
import { type PublishedForm, rulesOf } from './published-form/published-form.ts';

/**
 * The form as it applies to what was set aside with these answers: those that were removed by the retention of their fields are
 * not required again, days that have passed since may stay, and so may answers that nobody can change on the page although they
 * no longer fit. Compiled anew, but only if there are any.
 */
export function formForRelease(form: PublishedForm, stored: Answers): PublishedForm {
  const properties = changedBlocks(form, stored, stored);
  return adapted(form, unmendableOf(form, stored), properties, (spoken) => formForRelease(spoken, stored));
}

/**
 * The same for a change of a complete submission by its respondent. Fields that were hidden then stay as they were: what is filled in
 * tells of the moment at which it was sent.
 * @param sent the answers that are to be stored instead; those that are given again are judged like any
 */
export function formForChange(
  form: PublishedForm,
  stored: Answers | null,
  sent: Answers = {},
): PublishedForm {
  if (!stored) return form;
  const blocks = changedBlocks(form, stored, sent);
  const properties = withFormerDefaults(blocks ?? form.properties, form.compiled.fields, stored) ?? blocks;
  return adapted(form, unmendableOf(form, stored), properties, (spoken) =>
    formForChange(spoken, stored, sent),
  );
}

/** A submission that is changed in part. */
interface ChangedInPart {
  stored: Answers;
  /** Otherwise it becomes complete, so it must be whole. */
  wasComplete: boolean;
  /** The answers that are to be stored instead, with those that were left out. */
  sent: Answers;
  /** Ids of the fields that were left out: whoever changes one answer need not mend others, nor give those that are missing. */
  leftOut: readonly string[];
}

/** The same for a change by a member: nothing is filled in where the submission is complete. */
export function formForPartOf(form: PublishedForm, part: ChangedInPart): PublishedForm {
  const { stored, wasComplete, sent, leftOut } = part;
  const isLeftOut = new Set(leftOut);
  const fields = form.compiled.fields.filter(({ id }) => isLeftOut.has(id));
  const kept = { ...unmendableOf(form, stored), ...refusedOf(fields, stored) };
  const blocks = changedBlocks(form, stored, sent);
  const properties = wasComplete
    ? (blocks ?? form.properties).map((property) =>
        isLeftOut.has(property.id) ? optional(property) : withoutDefault(property),
      )
    : blocks;
  return adapted(form, kept, properties, (spoken) => formForPartOf(spoken, part));
}

/** The form as it applies to whoever completes a partial submission with these answers. */
export function formForGoingOn(form: PublishedForm, stored: Answers | null): PublishedForm {
  if (!stored) return form;
  return adapted(form, unmendableOf(form, stored), null, (spoken) => formForGoingOn(spoken, stored));
}

function changedBlocks({ properties }: PublishedForm, stored: Answers, sent: Answers): Property[] | null {
  const left = withoutRemoved(properties, stored, sent);
  return withoutPassedDays(left ?? properties, stored, sent) ?? left;
}

function unmendableOf({ compiled }: PublishedForm, stored: Answers): Answers {
  return unmendable(compiled.fields, stored);
}

/**
 * @param kept answers that are taken as they are
 * @param changed its blocks, if they are to be others
 */
function adapted(
  form: PublishedForm,
  kept: Answers,
  changed: Property[] | null,
  again: (spoken: PublishedForm) => PublishedForm,
): PublishedForm {
  if (!changed && Object.keys(kept).length === 0) return form;
  const { presentation } = form;
  const properties = changed ?? form.properties;
  return {
    ...form,
    properties,
    ...rulesOf({ properties, presentation }, accepting(kept)),
    inLanguage: (code) => again(form.inLanguage(code)),
  };
}

/** Engines whose rules take these answers as they are, but no others in their place. */
function accepting(kept: Answers): FieldEngines {
  const { rulesOf: usualRules } = serverEngines;
  return { ...serverEngines, rulesOf: (typeName) => acceptingRules(usualRules(typeName), kept) };
}

function acceptingRules(rules: AnswerRules, kept: Answers): AnswerRules {
  return {
    ...rules,
    compile(property, context) {
      const check = rules.compile(property, context);
      const answer = ownMember(kept, property.id);
      if (answer === undefined) return check;
      return (sent, ...more) => (isSame(sent, answer) ? answer : check(sent, ...more));
    },
    compileCompleteness(property, context) {
      const check = rules.compileCompleteness?.(property, context);
      const answer = ownMember(kept, property.id);
      return (value, required, report, sent, judged) => {
        if (answer === undefined || !isSame(sent, answer)) check?.(value, required, report, sent, judged);
      };
    },
  };
}

/** A page sends everything as text. */
function isSame(sent: JsonValue, kept: JsonValue): boolean {
  const write = (_: string, value: JsonValue) => (typeof value === 'number' ? textOf(value) : value);
  return JSON.stringify(sent, write) === JSON.stringify(kept, write);
}
