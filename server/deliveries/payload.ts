import { fieldTypeOf } from '../../fields/field-types.ts';
import type { ComputedValues } from '../../fields/formulas/variables.ts';
import { type Ending, reachedEnding } from '../../fields/logic/endings.ts';
import { type Answers, ownMember, type Property } from '../../fields/property.ts';
import { createFileLinks, type LinkSource, withLinks } from '../files/file-links.ts';
import type { AddressedForm } from '../forms/address/form-address.ts';
import type { ReceivedPayment } from '../payments/checkout.ts';
import { presentPayment } from '../payments/present-payment.ts';
import { presentConfirmed } from '../submissions/confirmation/present-confirmed.ts';
import type { ConfirmedAddress } from '../submissions/confirmation/queries.ts';

/** The parts of a form that its deliveries carry: webhooks, mails and messages in chats. */
export interface DeliveredForm extends AddressedForm {
  id: number;
  workspaceId: number;
  title: string;
  properties: Property[];
  /** Whether respondents may edit what they sent; only then the payload has an edit link. */
  editable: boolean;
  /** How long links to uploaded files are valid, in seconds. */
  fileLinkSeconds: number;
  /** Of mails and messages. */
  language: string;
  variables: ComputedValues;
  endings: readonly Pick<Ending, 'id' | 'name'>[];
}

/** The parts of a submission that its deliveries carry, without the numeric id that the database gives it. */
export interface PayloadSubmission {
  publicId: string;
  answers: Answers;
  attribution: Record<string, string> | null;
  /** Id of the ending that it reached, null for none; absent where that is not known any more. */
  ending?: string | null;
  /** Set when its sender has confirmed an address. */
  confirmed?: ConfirmedAddress | null;
  /** Set when its sender has paid for it. */
  payment?: ReceivedPayment | null;
  /** Set when a submission that was already complete is changed. */
  edit?: Edit;
}

export interface Edit {
  at: Date;
  /** Fields whose answers changed, including fields that the form no longer has. */
  fieldIds: string[];
}

export interface NumberedSubmission extends PayloadSubmission {
  id: number;
}

/** The body of a delivery is `head`, then the submission's numeric id, then `tail`. */
export interface PayloadHalves {
  head: string;
  tail: string;
}

/** A delivery that is about to be stored with its submission. */
export interface NewDelivery extends PayloadHalves {
  integrationId: number;
  isMail: boolean;
}

export type WritePayload = (submission: PayloadSubmission) => PayloadHalves;

/** The one kind of integration whose body carries `submission` and `message`; providers omit both. */
export const GENERIC_KIND = 'webhook';
/** Value of `event` for a changed submission; a new one has no `event`. */
const EDITED = 'submission.updated';
const DEPRECATION =
  'The `submission` property is deprecated because field names can repeat and change. Use `data` instead.';

/** The body of a delivery, for a submission that has its numeric id. */
export function wholeBody({ head, tail }: PayloadHalves, submissionId: number): string {
  return `${head}${submissionId}${tail}`;
}

/** The address at which a respondent can change answers; the submission's public id has to be appended. */
export function editLinkStart({ addressOf }: Pick<LinkSource, 'addressOf'>, form: AddressedForm): string {
  return `${addressOf(form)}?submission_id=`;
}

/** The address at which members read a response; the submission's numeric id has to be appended. */
export function responseLinkStart({ baseUrl }: Pick<LinkSource, 'baseUrl'>, form: DeliveredForm): string {
  return `${baseUrl}/workspaces/${form.workspaceId}/forms/${form.id}/responses/`;
}

/**
 * Returns a function that writes the JSON body of a submission's delivery (spec, Events). Whatever is the same for all submissions
 * of the form is turned into text once. `data` has the fields with an answer, in form order; only forms with endings say which was reached.
 */
export function compilePayload(form: DeliveredForm, kind: string, links: LinkSource): WritePayload {
  const isGeneric = kind === GENERIC_KIND;
  const fields = form.properties.map((property) => ({
    id: property.id,
    holdsFiles: fieldTypeOf(property.type).csvKind === 'files',
    name: JSON.stringify(property.name),
    start: `${JSON.stringify(property.id)}:{"value":`,
    end: `,"name":${JSON.stringify(property.name)},"type":${JSON.stringify(property.type)}}`,
  }));
  const start =
    `{"form_id":${form.id},"form_title":${JSON.stringify(form.title)},` +
    `"form_slug":${JSON.stringify(form.slug)},`;
  const end = `},${isGeneric ? `"message":${JSON.stringify(DEPRECATION)},` : ''}"submission_id":`;
  const editStart = `,"edit_link":${JSON.stringify(editLinkStart(links, form)).slice(0, -1)}`;

  return function payload({ publicId, answers, ending, edit, ...origin }) {
    const data: string[] = [];
    const fileLinks = () => createFileLinks(links, form.id, form.fileLinkSeconds);
    // If several fields have the same name, the last one counts.
    const byName = new Map<string, string>();
    for (const field of fields) {
      const answer = ownMember(answers, field.id);
      if (answer === undefined || answer === null) continue;
      const value = JSON.stringify(field.holdsFiles ? withLinks(answer, fileLinks) : answer);
      data.push(field.start + value + field.end);
      if (isGeneric) byName.set(field.name, value);
    }
    const legacy = isGeneric ? `"submission":{${writeMembers(byName)}},` : '';
    const editLink = form.editable ? `${editStart}${publicId}"` : '';
    const changed = edit ? writeEdit(edit) : '';
    return {
      head: `${start}${legacy}"data":{${data.join()}${end}`,
      tail: `${changed}${writeEnding(form, ending)}${editLink}${writeOrigin(origin)}}`,
    };
  };
}

/** Where it came from, whose it is, and what was paid for it. */
function writeOrigin({
  attribution,
  confirmed,
  payment,
}: Pick<PayloadSubmission, 'attribution' | 'confirmed' | 'payment'>): string {
  const meta = attribution === null ? '' : `,"meta":{"attribution":${JSON.stringify(attribution)}}`;
  const whose = confirmed ? `,"confirmed_email":${JSON.stringify(presentConfirmed(confirmed))}` : '';
  const paid = payment ? `,"payment":${JSON.stringify(presentPayment(payment))}` : '';
  return meta + whose + paid;
}

function writeEdit({ at, fieldIds }: Edit): string {
  return `,"event":"${EDITED}","updated_at":"${at.toISOString()}","changed_fields":${JSON.stringify(fieldIds)}`;
}

function writeEnding({ endings }: DeliveredForm, id: string | null | undefined): string {
  if (endings.length === 0 || id === undefined) return '';
  return `,"ending":${JSON.stringify(id === null ? null : reachedEnding(endings, id))}`;
}

function writeMembers(members: Map<string, string>): string {
  const written: string[] = [];
  for (const [name, value] of members) written.push(`${name}:${value}`);
  return written.join();
}
