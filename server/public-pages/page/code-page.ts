import type { FastifyReply } from 'fastify';
import type { Context } from '../../context.ts';
import { codeBlocks } from '../../forms/checks/custom-code.ts';
import { isSameHash } from '../../submissions/acceptance/submission-hash.ts';
import { isUnlockKey } from '../../submissions/acceptance/unlock-key.ts';
import type { PublishedForm } from '../../submissions/published-form/published-form.ts';

/**
 * An owner's own code runs in a frame with an opaque origin, so it can reach neither the form nor anything else of this service.
 */
const POLICY = [
  'sandbox allow-scripts allow-forms allow-popups allow-popups-to-escape-sandbox',
  "default-src https: http: data: blob: 'unsafe-inline' 'unsafe-eval'",
  "base-uri 'none'",
  // Any site may embed the form, and this directive applies to all ancestors of the frame.
  'frame-ancestors *',
].join('; ');

/** The form's code (`blockId` null) or that of a code block; null if there is none. */
export function codeOf(form: PublishedForm, blockId: string | null): string | null {
  if (blockId !== null) return codeBlocks(form.properties).find(({ id }) => id === blockId)?.code ?? null;
  return form.presentation.custom_code?.trim() || null;
}

/** Query key of the frames with code. */
export const SHOWN_BY = 'shown_by';

/**
 * Lets the frames of a page show the code of a form that only personal links open; null for any other form. Not the code of the
 * link: what runs in a frame can read its address.
 */
export function frameKey({ secrets }: Pick<Context, 'secrets'>, form: PublishedForm): string | null {
  return form.personalLinks?.required ? secrets.sign(String(form.id), 'frame') : null;
}

/** Whether an address was made by a page that showed the form, or anybody may see it. */
export function isCodeShown(context: Context, form: PublishedForm, query: URLSearchParams): boolean {
  const now = new Date();
  if (form.opensAfter(now)) return false;
  const key = frameKey(context, form);
  if (key !== null && !isSameHash(query.get(SHOWN_BY) ?? '', key)) return false;
  return form.passwordHash === null || isUnlockKey(context.secrets, form, query.get('key'), now);
}

export function sendCode(reply: FastifyReply, code: string): FastifyReply {
  return reply
    .headers({ 'content-security-policy': POLICY })
    .type('text/html; charset=utf-8')
    .send(`<!doctype html><meta charset="utf-8"><body>${code}</body>`);
}
