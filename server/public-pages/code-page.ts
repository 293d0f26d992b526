import type { FastifyReply } from 'fastify';
import { codeBlocks } from '../forms/custom-code.ts';
import type { PublishedForm } from '../submissions/published-forms.ts';

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

export function sendCode(reply: FastifyReply, code: string): FastifyReply {
  return reply
    .headers({ 'content-security-policy': POLICY })
    .type('text/html; charset=utf-8')
    .send(`<!doctype html><meta charset="utf-8"><body>${code}</body>`);
}
