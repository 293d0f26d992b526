import { join, resolve } from 'node:path';
import type { App } from '../../http/app-type.ts';
import { readStaticFile, sendStaticFile } from '../../http/response/static-file.ts';
import type { PublishedForm } from '../../submissions/published-form/published-form.ts';
import { WORKER } from '../browser/offline/addresses.ts';

/** The output of `scripts/build.ts` for browser/offline/worker.ts. */
const FILE = join(resolve(import.meta.dirname, '../../../dist/worker'), 'worker.js');

/**
 * Whether a form can be filled in without a network. Not if the service has to check something first: a password, a captcha, or a
 * personal link. Nor if it asks for money, because answers count only once their sender has paid, on a page of its own.
 */
export function worksOffline(form: PublishedForm): boolean {
  return takesWaiting(form) && form.payment === null;
}

/** Whether answers may have waited on a device: also those of a form that asks for money by now. */
export function takesWaiting({
  presentation,
  passwordHash,
  useCaptcha,
  personalLinks,
}: PublishedForm): boolean {
  const isWanted = presentation.settings.works_offline === true;
  return isWanted && passwordHash === null && !useCaptcha && !personalLinks?.required;
}

/** Serves the worker at a fixed address, where browsers look for updates. */
export function registerOfflineWorker(app: App): void {
  const script = readStaticFile(FILE);
  app.get(WORKER, { config: { access: { kind: 'public' } }, schema: { hide: true } }, (_request, reply) => {
    reply.header('content-security-policy', "default-src 'none'; connect-src 'self'; frame-ancestors 'none'");
    return sendStaticFile(reply, script, 'no-store');
  });
}
