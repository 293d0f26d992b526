import cookie from '@fastify/cookie';
import Fastify from 'fastify';
import { installGuard } from './access/guard.ts';
import { registerTokenRoutes } from './access/routes.ts';
import { installSlugGuessLimit } from './access/slug-guesses.ts';
import { registerAccountRoutes } from './accounts/routes.ts';
import { registerAnswerSchemaRoute } from './answer-schema/routes.ts';
import { registerAttentionRoute } from './attention/routes.ts';
import { registerAuditRoutes } from './audit/routes.ts';
import type { Context } from './context.ts';
import { registerDeliveryRoutes } from './deliveries/routes.ts';
import { registerExportRoutes } from './exports/routes.ts';
import { registerResumableRoutes } from './files/resumable/routes.ts';
import { registerFileRoutes } from './files/routes.ts';
import { registerFormDraftRoutes } from './forms/drafts/routes.ts';
import { registerPreviewPages } from './forms/previews/pages.ts';
import { registerPreviewRoutes } from './forms/previews/routes.ts';
import { registerFormRoutes } from './forms/routes.ts';
import { registerTrashRoutes } from './forms/trash/routes.ts';
import { registerFormVersionRoutes } from './forms/versions/routes.ts';
import type { App } from './http/app-type.ts';
import { answerUnroutable, installErrorHandler, installSlashRedirect } from './http/error-handler.ts';
import { registerHealthRoutes } from './http/health-routes.ts';
import { installMetrics } from './http/metrics.ts';
import { trustedProxies } from './http/network/trusted-proxies.ts';
import { registerOpenApi } from './http/openapi/openapi.ts';
import { installRateLimits } from './http/rate-limits.ts';
import { installBodyCheck } from './http/request/check-body.ts';
import { installJsonParser } from './http/request/json-body.ts';
import { answerMalformed, installHostCheck } from './http/request/malformed-requests.ts';
import { installSlowUploads } from './http/request/slow-uploads.ts';
import { registerDashboard } from './http/response/dashboard-files.ts';
import { installCrossOrigin, installSecurityHeaders } from './http/response/security-headers.ts';
import { createSerializerCompiler } from './http/schemas/serializers.ts';
import { createValidatorCompiler } from './http/schemas/validators.ts';
import { registerIntegrationRoutes } from './integrations/routes.ts';
import { registerLiveTableRoutes } from './live-tables/routes.ts';
import { registerMailServerRoutes } from './mail/routes.ts';
import { registerMcpRoutes } from './mcp/routes.ts';
import { registerMemberRoutes } from './members/routes.ts';
import { registerOAuthRoutes } from './oauth/routes.ts';
import { registerPartnerRoutes } from './partner-hooks/routes.ts';
import { registerPaymentRoutes } from './payments/routes.ts';
import { registerPictureRoutes } from './pictures/routes.ts';
import { registerPeopleRoutes } from './privacy/routes.ts';
import { createFormDomainDoor } from './public-pages/form-domain.ts';
import { registerPublicPages } from './public-pages/routes.ts';
import { registerReceiptKeyRoute } from './receipts/routes.ts';
import { registerRecipientRoutes } from './recipients/routes.ts';
import { registerSavedViewRoutes } from './saved-views/routes.ts';
import { registerScenarioRoutes } from './scenarios/routes.ts';
import { registerSingleSignOnRoutes } from './single-sign-on/routes.ts';
import { registerStatisticsRoutes } from './statistics/routes.ts';
import { registerAnswerRoutes } from './submissions/answer-routes.ts';
import { registerChangeRoutes } from './submissions/changes/routes.ts';
import { registerEndingRoutes } from './submissions/endings/routes.ts';
import { registerSubmissionEventRoutes } from './submissions/events/routes.ts';
import { registerImportRoutes } from './submissions/import/routes.ts';
import { registerRenamedOptionRoutes } from './submissions/renamed-options/routes.ts';
import { registerReviewRoutes } from './submissions/reviews/routes.ts';
import { registerSubmissionRoutes } from './submissions/routes.ts';
import { registerSetAsideRoutes } from './submissions/set-aside/routes.ts';
import { registerSubmissionTrashRoutes } from './submissions/trash/routes.ts';
import { registerWebhookBodyRoute } from './submissions/webhook-body/routes.ts';
import { registerSummaryMailRoutes } from './summaries/routes.ts';
import { registerWorkspaceRoutes } from './workspaces/routes.ts';

const BODY_LIMIT_BYTES = 1024 * 1024;
/** Longer path parameters name nothing in this service. */
const PATH_PARAMETER_LIMIT = 255;
const REQUEST_TIMEOUT_MS = 15_000;
/** Interval of the check for requests that take too long to arrive. */
const SLOW_CLIENT_CHECK_MS = 2_000;

export async function buildApp(context: Context): Promise<App> {
  const app: App = Fastify({
    bodyLimit: BODY_LIMIT_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MS,
    // Without its own limit for heads, Node applies the larger of the two to whole requests.
    http: {
      headersTimeout: REQUEST_TIMEOUT_MS,
      connectionsCheckingInterval: SLOW_CLIENT_CHECK_MS,
      requireHostHeader: false,
    },
    routerOptions: { maxParamLength: PATH_PARAMETER_LIMIT, ignoreTrailingSlash: false },
    trustProxy: trustedProxies(context.config),
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    frameworkErrors: answerUnroutable,
    clientErrorHandler: answerMalformed(context),
    rewriteUrl: ({ url = '/' }) => withoutOrigin(url),
  });
  app.setValidatorCompiler(createValidatorCompiler());
  app.setSerializerCompiler(createSerializerCompiler());
  app.removeContentTypeParser('text/plain');
  installJsonParser(app);
  // Unknown expectations are ignored (RFC 9110, 10.1.1): Node would refuse them without a body.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));
  installSlowUploads(app);
  installErrorHandler(app, context);
  installMetrics(app, context);
  installSecurityHeaders(app, context);
  installHostCheck(app);
  installSlashRedirect(app);
  // Cookies are parsed only where they are read.
  await app.register(cookie, { hook: false });
  await registerOpenApi(app, context);
  await installRateLimits(app, context);
  installSlugGuessLimit(app, context);
  // Installed before the guard, runs after it: a refused caller learns nothing about the body.
  installBodyCheck(app);
  installGuard(app, context);
  installCrossOrigin(app);

  registerDashboard(app, createFormDomainDoor(context));
  registerAccountRoutes(app, context);
  registerSingleSignOnRoutes(app, context);
  registerTokenRoutes(app, context);
  registerWorkspaceRoutes(app, context);
  registerMemberRoutes(app, context);
  registerMailServerRoutes(app, context);
  registerPaymentRoutes(app, context);
  registerAuditRoutes(app, context);
  registerPictureRoutes(app, context);
  registerFormRoutes(app, context);
  registerTrashRoutes(app, context);
  registerFormDraftRoutes(app, context);
  registerPreviewRoutes(app, context);
  registerFormVersionRoutes(app, context);
  registerAnswerSchemaRoute(app, context);
  registerPreviewPages(app, context);
  await registerPublicPages(app, context);
  registerReceiptKeyRoute(app, context);
  registerAnswerRoutes(app, context);
  registerFileRoutes(app, context);
  registerResumableRoutes(app, context);
  registerSubmissionRoutes(app, context);
  registerSubmissionTrashRoutes(app, context);
  registerSetAsideRoutes(app, context);
  registerImportRoutes(app, context);
  registerRenamedOptionRoutes(app, context);
  registerReviewRoutes(app, context);
  registerEndingRoutes(app, context);
  registerChangeRoutes(app, context);
  registerWebhookBodyRoute(app, context);
  registerSavedViewRoutes(app, context);
  registerScenarioRoutes(app, context);
  registerSubmissionEventRoutes(app, context);
  registerRecipientRoutes(app, context);
  registerStatisticsRoutes(app, context);
  registerAttentionRoute(app, context);
  registerSummaryMailRoutes(app, context);
  registerExportRoutes(app, context);
  registerLiveTableRoutes(app, context);
  registerIntegrationRoutes(app, context);
  registerDeliveryRoutes(app, context);
  registerPartnerRoutes(app, context);
  registerPeopleRoutes(app, context);
  await registerOAuthRoutes(app, context);
  registerMcpRoutes(app, context);
  registerHealthRoutes(app, context);
  return app;
}

/** A request target may carry a scheme and host (RFC 9112, 3.2.2); a client cannot choose the address of this service. */
function withoutOrigin(target: string): string {
  if (target.startsWith('/')) return target;
  return target.replace(/^https?:\/\/[^/?#]*/i, '') || '/';
}
