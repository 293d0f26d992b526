import type { FastifyReply } from 'fastify';
import type { Answers } from '../../fields/property.ts';
import type { Context } from '../context.ts';
import type { App } from '../http/app-type.ts';
import { publicFormNotFound } from '../http/errors.ts';
import { requireObject } from '../http/request/check-body.ts';
import { presentDue } from '../payments/present-payment.ts';
import { type AnswerRequest, acceptSubmission, checkSubmission } from './acceptance/accept-submission.ts';
import type { Acknowledgement, CompleteAcknowledgement } from './acceptance/acknowledgement.ts';
import { captchaTaskOf } from './acceptance/captcha.ts';
import { answerSchema, captchaSchema } from './answer-route-schemas.ts';

export function registerAnswerRoutes(app: App, context: Context): void {
  app.post(
    '/forms/:form/answer',
    {
      config: { access: { kind: 'public' } },
      schema: answerSchema,
      // The body is judged as a whole by the form's own rules, so that every problem is reported at once.
      validatorCompiler: () => () => true,
    },
    async (request, reply) => {
      const { headers } = request;
      const answerRequest: AnswerRequest = {
        formRef: request.params.form,
        body: requireObject(request.body) as Answers,
        formPassword: headers['form-password'],
        personalCode: request.query.personal,
        idempotencyKey: headers['idempotency-key'],
        address: request.ip,
      };
      if (headers.precognition !== 'true')
        return presentAcknowledgement(reply, await acceptSubmission(context, answerRequest));
      await checkSubmission(context, answerRequest, namesIn(headers['precognition-validate-only']));
      return reply.code(204).header('precognition-success', 'true').send(null);
    },
  );

  app.get(
    '/forms/:form/captcha',
    { config: { access: { kind: 'public' } }, schema: captchaSchema },
    async (request) => {
      const form = await context.publishedForms.findCurrent(request.params.form);
      if (!form) throw publicFormNotFound();
      return captchaTaskOf(context, form);
    },
  );
}

/** The field ids of `Precognition-Validate-Only`; null when it names none. */
function namesIn(header: string | undefined): string[] | null {
  const names =
    header
      ?.split(',')
      .map((name) => name.trim())
      .filter(Boolean) ?? [];
  return names.length > 0 ? names : null;
}

/** The body of the response; a header marks one that repeats an earlier response. */
function presentAcknowledgement(reply: FastifyReply, acknowledgement: Acknowledgement) {
  if (acknowledgement.isReplay) reply.header('idempotent-replayed', 'true');
  if (acknowledgement.isPartial) {
    const { submissionHash } = acknowledgement;
    return { type: 'success', message: 'Partial submission saved.', submission_hash: submissionHash };
  }
  const { confirmation, payment } = acknowledgement;
  return {
    type: 'success',
    message: `Form submission saved.${awaitedBy(acknowledgement)}`,
    submission_id: acknowledgement.submissionId,
    is_first_submission: acknowledgement.isFirst,
    redirect: false,
    submission_hash: null,
    ...(confirmation && {
      confirmation: { email: confirmation.address, expires_at: confirmation.until.toISOString() },
    }),
    ...(payment && { payment: { url: payment.url, ...presentDue(payment.due) } }),
  };
}

function awaitedBy({ confirmation, payment }: CompleteAcknowledgement): string {
  if (payment) return ' It counts once it is paid.';
  return confirmation ? ' It counts once its sender has confirmed the e-mail address.' : '';
}
