import type { Context } from '../context.ts';
import { publicFormSchema, showPublicForm } from '../forms/show-public-form.ts';
import type { App } from '../http/app-type.ts';
import { notFound, publicFormNotFound } from '../http/errors.ts';
import { wantsHtml } from '../http/request/wants-html.ts';
import { findPayment } from '../payments/queries.ts';
import { countPage } from '../statistics/count-view.ts';
import { openSubmissionHash } from '../submissions/acceptance/submission-hash.ts';
import { isUnlockKey } from '../submissions/acceptance/unlock-key.ts';
import { registerConfirmation } from './confirmation/confirm.ts';
import { type SentAgain, waitingPage } from './confirmation/confirm-pages.ts';
import { registerEmbedScript } from './embed.ts';
import { createFailurePage } from './failure.ts';
import { registerAssetRoutes } from './page/assets.ts';
import { codeOf, isCodeShown, sendCode } from './page/code-page.ts';
import { hasCommonFirstPage, sendFirstPage } from './page/first-page.ts';
import { type MessagePage, unavailablePage } from './page/message-pages.ts';
import { registerOfflineWorker } from './page/offline.ts';
import { inVisitorsLanguage } from './page/page-language.ts';
import { sendForm, sendMessage } from './page/send-page.ts';
import { type PageRequest, pageParams } from './page-request.ts';
import { registerPayment } from './payment/pay.ts';
import { postForm } from './posting/post-form.ts';
import { FORM_TYPES, installFormParsers, MAX_POST_BYTES } from './posting/posted-body.ts';
import { provenVisit } from './posting/spam-signs.ts';
import { AGAIN, THANK_YOU_STYLES, thankYouPage } from './posting/thank-you.ts';
import { findSent } from './queries.ts';
import { registerReceiptCheck } from './receipt/check-receipt.ts';
import { receiptLink, registerReceipts } from './receipt/show-receipt.ts';
import { registerPublicResults } from './results/show-results.ts';
import { openForm } from './show-form.ts';
import { registerStopMails } from './stop-mails.ts';
import { createDraftSaver } from './visit/drafts.ts';
import { withIdsForNames } from './visit/named-values.ts';
import { personalVisit } from './visit/personal-visit.ts';
import { askPassword, unlock } from './visit/unlock.ts';
import {
  beginningIn,
  givenBy,
  isPlainBeginning,
  type PageQuery,
  queryOf,
  readVisit,
  type Visit,
} from './visit/visit.ts';
import { createVisitedForms, type VisitedForm } from './visit/visited-form.ts';

/** The pages of forms: complete without a script, nicer with theirs. */
export async function registerPublicPages(app: App, context: Context): Promise<void> {
  const findForm = createVisitedForms(context);
  const saveDraft = createDraftSaver(context);
  const config = { access: { kind: 'public' as const }, failurePage: createFailurePage(context) };

  async function find(request: PageRequest): Promise<VisitedForm> {
    const visited = await findForm(request.params.form);
    if (!visited) throw publicFormNotFound();
    return { ...visited, form: inVisitorsLanguage(visited.form, request) };
  }

  app.get('/forms/:form', { config, schema: publicFormSchema }, async (request, reply) => {
    if (!wantsHtml(request)) return showPublicForm(context, request, request.params.form);
    const visited = await find(request);
    const asked = queryOf(request);
    const { slug, uuid } = visited.form;
    // A former slug. The redirect is temporary: another form of the workspace may get that slug.
    if (![slug, uuid].includes(request.params.form.toLowerCase()))
      return reply.redirect(`/forms/${slug}${new URL(request.url, context.baseUrl()).search}`, 302);
    const begun = provenVisit(context, visited.form, readVisit(asked, new Date()), asked);
    const { refusal, leadTo, visit, query } = await personalVisit(context, visited.form, begun, asked);
    if (leadTo !== null) return reply.header('cache-control', 'no-store').redirect(leadTo, 303);
    const barrier = barrierBefore(context, visited, visit, asked, refusal);
    if (barrier) return sendMessage(context, reply, visited.form, barrier);
    // Only now, as it tells which fields there are.
    const byIds = withIdsForNames(asked, visited.form);
    if (byIds !== null) return reply.redirect(`/forms/${request.params.form}?${byIds}`, 302);
    countPage(context, visited.form, request, {
      visitId: query.has('visit') ? visit.id : null,
      step: visit.step.index,
    });
    if (isPlainBeginning(query, visited.form.properties) && hasCommonFirstPage(visited.form))
      return sendFirstPage(context, reply, visited, visit);
    const given = givenBy(asked, visited.form.properties);
    const page = { ...(await openForm(context, visited, visit, query)), given };
    // Editing a submission that is gone would make a new one.
    const unavailable = page.visit.submissionId === null ? unavailablePage(visited) : null;
    if (unavailable) return sendMessage(context, reply, visited.form, unavailable);
    return sendForm(context, reply, page);
  });

  app.get(
    '/forms/:form/thank-you',
    { config, schema: { params: pageParams, hide: true } },
    async (request, reply) => {
      const { form } = await find(request);
      const query = queryOf(request);
      const receipt = query.get('receipt') ?? '';
      const id = openSubmissionHash(context.secrets, form.id, receipt, 'receipt');
      const sent = id && (await findSent(context.db, form.id, id));
      if (!id || !sent) throw notFound('Submission');
      const { answers, unconfirmedAddress: address } = sent;
      if (address !== null) {
        const sentAgain = sentAgainIn(query);
        return sendMessage(context, reply, form, waitingPage(form, { address, receipt, sentAgain }));
      }
      const links = receiptLink(form, receipt);
      const again = beginningIn(query.get(AGAIN) ?? '');
      const ending = form.endingFor(answers);
      const payment = form.payment && (await findPayment(context.db, form.id, id));
      const main = thankYouPage(form, { submissionId: id, answers, ending, again, payment }, links);
      return sendMessage(context, reply, form, {
        title: form.title,
        main,
        styles: THANK_YOU_STYLES,
        script: { name: 'thanks', data: null },
      });
    },
  );

  for (const path of ['/forms/:form/code', '/forms/:form/code/:block']) {
    app.get(path, { config, schema: { hide: true } }, async (request, reply) => {
      const { form: ref, block = null } = request.params as { form: string; block?: string };
      const visited = context.config.customCode ? await findForm(ref) : null;
      const isShown = visited !== null && isCodeShown(context, visited.form, queryOf(request));
      const code = isShown ? codeOf(visited.form, block) : null;
      if (code === null) throw notFound('Code');
      return sendCode(reply, code);
    });
  }

  await app.register(async (scope) => {
    await installFormParsers(scope);

    scope.post(
      '/forms/:form',
      { config, bodyLimit: MAX_POST_BYTES, schema: { params: pageParams, consumes: FORM_TYPES, hide: true } },
      async (request: PageRequest, reply) => {
        // While the database is unreachable the cached form is used, so that typed answers can be shown again.
        const known = async () => {
          const form = await context.publishedForms.find(request.params.form);
          return form && inVisitorsLanguage(form, request);
        };
        const form = await find(request).then(
          ({ form }) => form,
          async (error) => (await known()) ?? Promise.reject(error),
        );
        const query = queryOf(request);
        const visit = readVisit(query, new Date());
        return postForm(context, request, reply, { form, visit, query, saveDraft });
      },
    );

    scope.post(
      '/forms/:form/unlock',
      { config, bodyLimit: MAX_POST_BYTES, schema: { params: pageParams, consumes: FORM_TYPES, hide: true } },
      async (request: PageRequest, reply) => {
        const { form } = await find(request);
        return unlock(context, { form, request, saveDraft }, reply);
      },
    );
  });

  await registerStopMails(app, context);
  await registerConfirmation(app, context, find);
  await registerPayment(app, context, find);
  registerPublicResults(app, context, find);
  registerReceipts(app, context, find);
  await registerReceiptCheck(app, context);
  registerAssetRoutes(app);
  registerEmbedScript(app);
  registerOfflineWorker(app);
}

function sentAgainIn(query: PageQuery): SentAgain | null {
  const sent = query.get('sent');
  return sent === 'again' || sent === 'often' ? sent : null;
}

/** What is shown in place of a form that cannot be filled in now; null if it can. */
function barrierBefore(
  { secrets }: Context,
  visited: VisitedForm,
  visit: Visit,
  query: PageQuery,
  refusal: MessagePage | null,
): MessagePage | null {
  const { form } = visited;
  // A counted submission can be edited even if the form is full.
  const isFull = visited.isFull && visit.submissionId === null;
  const unavailable = unavailablePage({ ...visited, isFull });
  if (unavailable) return unavailable;
  if (form.passwordHash === null || isUnlockKey(secrets, form, visit.key, new Date()))
    return refusal && { ...refusal, status: 403 };
  return askPassword(form, visit, query);
}
