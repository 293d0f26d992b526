import type { FastifyReply } from 'fastify';
import { codeBlocks } from '../forms/custom-code.ts';
import type { PublishedForm } from '../submissions/published-forms.ts';

/**
 * An owner's own code runs in a frame whose document has an origin of its own, shared with nobody: it reaches neither
 * the form nor anything else of this service.
 */
const POLICY = [
  'sandbox allow-scripts allow-forms allow-popups allow-popups-to-escape-sandbox',
  "default-src https: http: data: blob: 'unsafe-inline' 'unsafe-eval'",
  "base-uri 'none'",
  // The form around it may stand on any site, and all pages around a frame count.
  'frame-ancestors *',
].join('; ');

/** The form's code (`blockId` null) or that of one of its code blocks; null for none. */
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
