import { randomBytes } from 'node:crypto';
import type { Context } from '../context.ts';
import { type AddressedForm, formAddress } from '../forms/address/form-address.ts';
import { HttpError } from '../http/errors.ts';
import type { PublishedForm } from '../submissions/published-form/published-form.ts';
import { findLinkHolder, type LinkHolder } from './link-queries.ts';

/** Parameter for a recipient's code in the address of a form and of its answer endpoint. */
export const PERSONAL = 'personal';

/** 96 random bits cannot be guessed; mail programs recognise all of their hex as part of the link. */
const CODE_BYTES = 12;
const CODE = /^[0-9a-f]{24}$/;

type Addresses = Pick<Context, 'baseUrl' | 'config'>;

export function newCode(): string {
  return randomBytes(CODE_BYTES).toString('hex');
}

/** The link of one recipient. */
export function personalLink(context: Addresses, form: AddressedForm, code: string): string {
  return `${formAddress(context, form)}?${PERSONAL}=${code}`;
}

/** Link by which a recipient declines further mails. */
export function stopMailsLink(context: Addresses, form: AddressedForm, code: string): string {
  return `${formAddress(context, form)}/stop-mails?${PERSONAL}=${code}`;
}

/** The holder of a link; null without a code, and for one unknown to the form. */
export async function linkHolderOf(
  { db }: Pick<Context, 'db'>,
  form: Pick<PublishedForm, 'id' | 'personalLinks'>,
  code: unknown,
): Promise<LinkHolder | null> {
  if (form.personalLinks === null || typeof code !== 'string' || !CODE.test(code)) return null;
  return findLinkHolder(db, form.id, code);
}

/** The recipient who answers, if known. @throws HttpError 403 `personal_link_needed`, or `already_answered` */
export async function answeringHolder(
  context: Pick<Context, 'db'>,
  form: PublishedForm,
  code: unknown,
): Promise<LinkHolder | null> {
  const holder = await linkHolderOf(context, form, code);
  if (holder?.hasAnswered)
    throw new HttpError(403, 'This personal link has been used to answer the form.', {
      error: 'already_answered',
    });
  if (holder === null && form.personalLinks?.required)
    throw new HttpError(403, 'This form is answered by a personal link only.', {
      error: 'personal_link_needed',
    });
  return holder;
}
