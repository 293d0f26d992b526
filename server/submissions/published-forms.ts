import { type CompiledAnswers, compileAnswers } from '../../fields/compile-answers.ts';
import { type CompiledForm, compileForm } from '../../fields/compile-form.ts';
import type { FieldEngines } from '../../fields/engines.ts';
import { messagesFor, pageMessagesFor } from '../../fields/languages/languages.ts';
import { compileConditions, hasConditions, type LogicScope, logicScope } from '../../fields/logic.ts';
import type { Answers, Property } from '../../fields/property.ts';
import { sharingWork } from '../../fields/shared-work.ts';
import { SizedCache } from '../../fields/sized-cache.ts';
import { hasTranslation, translated } from '../../fields/translations.ts';
import type { Context } from '../context.ts';
import type { Db } from '../db/database.ts';
import type { WritePayload } from '../deliveries/payload.ts';
import { compileWebPayload } from '../deliveries/web-payload.ts';
import { type LinkSource, linkSource } from '../files/file-links.ts';
import type { AddressedForm } from '../forms/form-address.ts';
import { isClosedAt, opensAfter } from '../forms/open-times.ts';
import { FORM_LANGUAGES, PRESENTATION_DEFAULTS, type Presentation } from '../forms/schemas.ts';
import { parseUuid } from '../http/ids.ts';
import { compileMail } from '../mail/compile-mail.ts';
import { isMailKind, mailSettings } from '../mail/mail-kinds.ts';
import { findPublishedForm, formRevision, type PublishedFormRow } from './published-form-queries.ts';

/** A form as the answer endpoint needs it: everything that can be prepared is prepared once per revision. */
export interface PublishedForm extends AddressedForm {
  id: number;
  uuid: string;
  title: string;
  revision: number;
  /** How it looks and what it says, complete with defaults. */
  presentation: Presentation;
  closesAt: Date | null;
  /** Largest file its workspace takes, in megabytes. */
  maxFileSize: number;
  isClosed(now: Date): boolean;
  /** When it opens by itself, if it waits for that; null for all others. */
  opensAfter(now: Date): Date | null;
  passwordHash: string | null;
  /** How it treats personal links; null while it has none. */
  personalLinks: PublishedFormRow['personalLinks'];
  useCaptcha: boolean;
  captchaProvider: string;
  takesPartials: boolean;
  isEditable: boolean;
  properties: Property[];
  compiled: CompiledForm;
  /** The same rules in the words of the page. */
  pageRules(): CompiledAnswers;
  /** Codes of the languages it can be read in; its own is the first. */
  languages: readonly string[];
  /** As it is shown in another of its languages; itself in any other. Only a form in its own language takes answers in. */
  inLanguage(code: string): PublishedForm;
  integrations: {
    id: number;
    isMail: boolean;
    /** It sends mail to whoever filled in the form. */
    isConfirmation: boolean;
    /** It hears of submissions that are changed, too. */
    sendsEdits: boolean;
    isWanted(answers: Answers): boolean;
    writePayload: WritePayload;
  }[];
}

export interface PublishedForms {
  /** By slug or UUID; null for unknown and draft forms. What it answers may be out of date: see `isCurrent`. */
  find(ref: string): Promise<PublishedForm | null>;
  /** Asks the database; a form that is not current any more is forgotten. Every refusal is preceded by this question. */
  isCurrent(form: PublishedForm): Promise<boolean>;
  forget(formId: number): void;
}

/** Characters of all forms that are kept, each as often as it has languages: made ready, one takes two bytes and a half. */
const MAX_KEPT = 40_000_000;
/** What a form takes beside its texts, in the same. */
const LEAST_KEPT = 40_000;

/**
 * Keeps the forms that were answered lately. Another process may change a form at any time: the intake compares
 * revisions when it stores, so that an outdated form never lets a submission in.
 */
export function createPublishedForms(
  db: Db,
  engines: FieldEngines,
  context: Pick<Context, 'baseUrl' | 'secrets' | 'config'>,
): PublishedForms {
  const byRef = new SizedCache<string, PublishedForm>(MAX_KEPT);

  async function find(written: string): Promise<PublishedForm | null> {
    // One entry for all ways to write a UUID, or a visitor could fill the memory with one form.
    const ref = parseUuid(written) ?? written;
    const cached = byRef.get(ref);
    if (cached) return cached;
    const row = await findPublishedForm(db, ref);
    if (!row) return null;
    // Whose name a former one is has to be asked each time: another form may come to have it.
    const key = ref === row.uuid ? ref : row.slug;
    const known = byRef.get(key);
    if (known?.id === row.id && known.revision === row.revision) return known;
    const form = preparePublishedForm(row, engines, linkSource(context));
    const characters = JSON.stringify([row.properties, row.presentation]).length;
    byRef.set(key, form, (LEAST_KEPT + characters) * form.languages.length);
    return form;
  }

  function forget(formId: number): void {
    byRef.deleteAll(({ id }) => id === formId);
  }

  async function isCurrent(form: PublishedForm): Promise<boolean> {
    if ((await formRevision(db, form.id)) === form.revision) return true;
    forget(form.id);
    return false;
  }

  return { find, isCurrent, forget };
}

/** Everything the answer endpoint and the pages need of a form. Nothing is looked up, nothing is remembered. */
export function preparePublishedForm(
  row: PublishedFormRow,
  engines: FieldEngines,
  links: LinkSource,
): PublishedForm {
  const { id, uuid, slug, title, revision, properties, closesAt, maxFileSize } = row;
  const presentation = { ...PRESENTATION_DEFAULTS, ...row.presentation } as Presentation;
  const { custom_domain: customDomain, editable_submissions: isEditable } = presentation;
  const rules = rulesOf({ properties, presentation }, engines);
  const { variables } = rules.compiled;
  const deliveredForm = {
    id,
    workspaceId: row.workspaceId,
    title,
    slug,
    customDomain,
    properties,
    editable: isEditable,
    fileLinkSeconds: row.fileLinkSeconds,
    language: presentation.language,
    variables,
  };
  const opensAt = presentation.opens_at === null ? null : new Date(presentation.opens_at);
  const times = { visibility: row.visibility, opensAt, closesAt };
  const scope = logicScope(properties, engines, variables);
  const form: PublishedForm = {
    id,
    uuid,
    slug,
    customDomain,
    title,
    revision,
    presentation,
    closesAt,
    maxFileSize,
    isClosed: (now) => isClosedAt(times, now),
    opensAfter: (now) => opensAfter(times, now),
    passwordHash: row.passwordHash,
    personalLinks: row.personalLinks,
    useCaptcha: presentation.use_captcha,
    captchaProvider: presentation.captcha_provider,
    takesPartials: presentation.enable_partial_submissions,
    isEditable,
    properties,
    ...rules,
    languages: languagesOf(presentation),
    inLanguage: (code) => spokenForm(code),
    integrations: row.integrations.map((integration) => {
      const { id: integrationId, integration_id: kind, logic, data } = integration;
      const isWanted = wanted(logic, scope);
      const isConfirmation = kind === 'email_confirmation';
      const common = { id: integrationId, isConfirmation, sendsEdits: integration.sends_edits };
      if (!isMailKind(kind)) {
        const writePayload = compileWebPayload(deliveredForm, integration, links);
        return { ...common, isMail: false, isWanted, writePayload };
      }
      const { hasRecipient, writePayload } = compileMail(deliveredForm, kind, mailSettings(data), links);
      const isMailWanted = (answers: Answers) => hasRecipient(answers) && isWanted(answers);
      return { ...common, isMail: true, isWanted: isMailWanted, writePayload };
    }),
  };
  const spokenForm = spokenForms(form, engines);
  return form;
}

/** Translations are compiled when somebody first reads them, and once. */
function spokenForms(form: PublishedForm, engines: FieldEngines): (code: string) => PublishedForm {
  const [own, ...others] = form.languages;
  const spoken = new Map<string | undefined, PublishedForm>([[own, form]]);
  return (code) => {
    const known = spoken.get(code);
    if (known || !others.includes(code)) return known ?? form;
    const { title, properties, presentation } = translated(form, code);
    const other = {
      ...form,
      title,
      properties,
      presentation,
      ...rulesOf({ properties, presentation }, engines),
    };
    spoken.set(code, other);
    return other;
  };
}

function languagesOf({ language, translations }: Presentation): string[] {
  const others = FORM_LANGUAGES.filter((code) => code !== language && hasTranslation(translations, code));
  return [language, ...others];
}

/** The rules of a form, and the same in the words of the page. */
function rulesOf(
  { properties, presentation }: Pick<PublishedForm, 'properties' | 'presentation'>,
  engines: FieldEngines,
): Pick<PublishedForm, 'compiled' | 'pageRules'> {
  const { language, computed_variables: variables } = presentation;
  const compiled = compileForm({ properties, variables, messages: messagesFor(language) }, engines);
  const messages = pageMessagesFor(language);
  let rules: CompiledAnswers | null = messages === compiled.messages ? compiled : null;
  // Those of the page are needed for refusals, and for steps without a script: they are compiled when first asked for.
  const pageRules = () =>
    (rules ??= sharingWork(compileAnswers({ properties, variables, messages }, engines)));
  return { compiled, pageRules };
}

/** An integration without a condition wants every submission. */
function wanted(logic: unknown, scope: LogicScope): (answers: Answers) => boolean {
  if (!hasConditions(logic)) return () => true;
  const isMet = compileConditions(logic, scope);
  return (answers) => isMet(answers, {});
}
