import type { Context } from '../../context.ts';
import type { PublishedForm } from '../published-forms.ts';
import { submissionHash } from './submission-hash.ts';

/** What the sender is told. */
export type Acknowledgement = { isReplay: boolean } & (
  | { isPartial: true; submissionHash: string }
  | { isPartial: false; submissionId: string; isFirst: boolean }
);

/** The acknowledgement of a submission that was stored, now or by an earlier request. */
export function acknowledge(
  context: Context,
  form: PublishedForm,
  stored: { publicId: string; isPartial: boolean; isFirst: boolean; isReplay: boolean },
): Acknowledgement {
  const { publicId, isPartial, isFirst, isReplay } = stored;
  if (!isPartial) return { isReplay, isPartial, submissionId: publicId, isFirst };
  return { isReplay, isPartial, submissionHash: submissionHash(context.secrets, form.id, publicId) };
}
