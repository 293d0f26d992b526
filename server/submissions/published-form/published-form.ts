import { type CompiledAnswers, compileAnswers } from '../../../fields/compile-answers.ts';
import { type CompiledForm, compileForm } from '../../../fields/compile-form.ts';
import type { FieldEngines } from '../../../fields/engines.ts';
import type { ComputedValues } from '../../../fields/formulas/variables.ts';
import { messagesFor, pageMessagesFor } from '../../../fields/languages/languages.ts';
import { compileEndings, type Ending } from '../../../fields/logic/endings.ts';
import {
  compileConditions,
  hasConditions,
  type LogicScope,
  logicScope,
} from '../../../fields/logic/logic.ts';
import { sharingWork } from '../../../fields/logic/shared-work.ts';
import { type PaymentBlock, paymentBlockOf, withoutRequirement } from '../../../fields/payment.ts';
import type { Answers, Property } from '../../../fields/property.ts';
import { serverEngines } from '../../../fields/server-engines.ts';
import { hasTranslation, translated } from '../../../fields/texts/translations.ts';
import { canonicalTypeName } from '../../../fields/type-names.ts';
import type { Db } from '../../db/database.ts';
import type { DeliveredForm, WritePayload } from '../../deliveries/payload.ts';
import { compileWebPayload } from '../../deliveries/web-payload.ts';
import type { LinkSource } from '../../files/file-links.ts';
import type { AddressedForm } from '../../forms/address/form-address.ts';
import { isClosedAt, opensAfter } from '../../forms/open-times.ts';
import { FORM_LANGUAGES, PRESENTATION_DEFAULTS, type Presentation } from '../../forms/schemas.ts';
import { compileMail } from '../../mail/compile-mail.ts';
import { isMailKind, mailSettings } from '../../mail/mail-kinds.ts';
import { findOwnForm, type PublishedFormRow } from './queries.ts';

/** A form as the answer endpoint needs it: whatever can be prepared is prepared once per revision. */
export interface PublishedForm extends AddressedForm {
  id: number;
  workspaceId: number;
  uuid: string;
  title: string;
  revision: number;
  updatedAt: Date;
  /** Looks and texts, with defaults filled in. */
  presentation: Presentation;
  closesAt: Date | null;
  /** Largest file that its workspace takes, in megabytes. */
  maxFileSize: number;
  isClosed(now: Date): boolean;
  /** When it will open by itself; null if it will not. */
  opensAfter(now: Date): Date | null;
  passwordHash: string | null;
  /** Settings of its personal links; null while it has none. */
  personalLinks: PublishedFormRow['personalLinks'];
  useCaptcha: boolean;
  captchaProvider: string;
  takesPartials: boolean;
  isEditable: boolean;
  /** Suspected spam is set aside: server/submissions/set-aside/. */
  setsSpamAside: boolean;
  /** Whoever sent answers may get a signed copy of them: server/receipts/. */
  givesReceipts: boolean;
  /** Id of the e-mail field whose answer the sender has to confirm: server/submissions/confirmation/; null for none. */
  confirmsEmail: string | null;
  /** Who sends it pays before it counts: server/payments/; null for none. */
  payment: PaymentBlock | null;
  properties: Property[];
  compiled: CompiledForm;
  /** The rules of `compiled`, with messages as the form's page words them. */
  pageRules(): CompiledAnswers;
  /** Codes of the languages it can be read in; its own comes first. */
  languages: readonly string[];
  /** The form as shown in one of its `languages`; the form itself for other codes. Answers are always taken in by the original. */
  inLanguage(code: string): PublishedForm;
  /** Where these stored answers lead after sending; null for the form's own thank-you text and address. */
  endingFor(answers: Answers): Ending | null;
  integrations: {
    id: number;
    isMail: boolean;
    /** It sends mail to the person who filled in the form. */
    isConfirmation: boolean;
    /** It is told of changed submissions, too. */
    sendsEdits: boolean;
    isWanted(answers: Answers): boolean;
    writePayload: WritePayload;
  }[];
}

/** Prepares everything that the answer endpoint and the pages need of a form. Pure: nothing is looked up or cached. */
export function preparePublishedForm(
  row: PublishedFormRow,
  engines: FieldEngines,
  links: LinkSource,
): PublishedForm {
  const { id, workspaceId, uuid, slug, title, revision, updatedAt, closesAt, maxFileSize } = row;
  const properties = withoutRequirement(row.properties);
  const presentation = presentationOf(row);
  const { custom_domain: customDomain, editable_submissions: isEditable } = presentation;
  const rules = rulesOf({ properties, presentation }, engines);
  const { variables } = rules.compiled;
  const delivered = deliveredForm(row, variables);
  const opensAt = presentation.opens_at === null ? null : new Date(presentation.opens_at);
  const times = { visibility: row.visibility, opensAt, closesAt };
  const scope = logicScope(properties, engines, variables);
  const form: PublishedForm = {
    id,
    workspaceId,
    uuid,
    slug,
    customDomain,
    title,
    revision,
    updatedAt,
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
    setsSpamAside: presentation.settings.sets_spam_aside === true,
    givesReceipts: presentation.settings.gives_receipts === true,
    confirmsEmail: confirmedField(presentation, properties)?.id ?? null,
    payment: paymentBlockOf(properties),
    properties,
    ...rules,
    languages: languagesOf(presentation),
    inLanguage: (code) => spokenForm(code),
    endingFor: compileEndings(presentation.endings, scope),
    integrations: row.integrations.map((integration) => {
      const { id: integrationId, integration_id: kind, logic, data } = integration;
      const isWanted = wanted(logic, scope);
      const isConfirmation = kind === 'email_confirmation';
      const common = { id: integrationId, isConfirmation, sendsEdits: integration.sends_edits };
      if (!isMailKind(kind)) {
        const writePayload = compileWebPayload(delivered, integration, links);
        return { ...common, isMail: false, isWanted, writePayload };
      }
      const { hasRecipient, writePayload } = compileMail(delivered, kind, mailSettings(data), links);
      const isMailWanted = (answers: Answers) => hasRecipient(answers) && isWanted(answers);
      return { ...common, isMail: true, isWanted: isMailWanted, writePayload };
    }),
  };
  const spokenForm = spokenForms(form, engines, scope);
  return form;
}

function presentationOf({ presentation }: PublishedFormRow): Presentation {
  return { ...PRESENTATION_DEFAULTS, ...presentation } as Presentation;
}

/** What deliveries carry of a form, whatever its visibility. */
export async function findDeliveredForm(db: Db, id: number): Promise<DeliveredForm | null> {
  const row = await findOwnForm(db, id);
  if (!row) return null;
  return deliveredForm(
    row,
    serverEngines.compileVariables(presentationOf(row).computed_variables, row.properties),
  );
}

function deliveredForm(row: PublishedFormRow, variables: ComputedValues): DeliveredForm {
  const {
    custom_domain: customDomain,
    editable_submissions: editable,
    language,
    endings,
  } = presentationOf(row);
  const { id, workspaceId, title, slug, properties, fileLinkSeconds } = row;
  return {
    id,
    workspaceId,
    title,
    slug,
    customDomain,
    properties,
    editable,
    fileLinkSeconds,
    language,
    variables,
    endings,
  };
}

/** A field that is gone, or of another type now, asks for no address. */
function confirmedField(
  { settings: { confirms_email: wanted } }: Presentation,
  properties: readonly Property[],
): Property | undefined {
  return properties.find(({ id, type }) => id === wanted && canonicalTypeName(type) === 'email');
}

/** Compiles each translation once, when it is first asked for. */
function spokenForms(
  form: PublishedForm,
  engines: FieldEngines,
  scope: LogicScope,
): (code: string) => PublishedForm {
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
      endingFor: compileEndings(presentation.endings, scope),
    };
    spoken.set(code, other);
    return other;
  };
}

function languagesOf({ language, translations }: Presentation): string[] {
  const others = FORM_LANGUAGES.filter((code) => code !== language && hasTranslation(translations, code));
  return [language, ...others];
}

/** The rules of a form with the messages of the API, and with those of its page. */
export function rulesOf(
  { properties, presentation }: Pick<PublishedForm, 'properties' | 'presentation'>,
  engines: FieldEngines,
): Pick<PublishedForm, 'compiled' | 'pageRules'> {
  const { language, computed_variables: variables } = presentation;
  const compiled = compileForm({ properties, variables, messages: messagesFor(language) }, engines);
  const messages = pageMessagesFor(language);
  let rules: CompiledAnswers | null = messages === compiled.messages ? compiled : null;
  // Rules of the page are compiled when first asked for: only refusals and steps without a script need them.
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
