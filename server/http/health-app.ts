import Fastify from 'fastify';
import type { Context } from '../context.ts';
import type { App } from './app-type.ts';
import { installErrorHandler } from './error-handler.ts';
import { registerHealthRoutes } from './health-routes.ts';
import { trustedProxies } from './network/trusted-proxies.ts';
import { installSecurityHeaders } from './response/security-headers.ts';
import { createSerializerCompiler } from './schemas/serializers.ts';

const REQUEST_TIMEOUT_MS = 15_000;

/** What a process without the role `http` answers: whether it lives and can work, and its metrics. */
export function buildHealthApp(context: Context): App {
  const app: App = Fastify({
    requestTimeout: REQUEST_TIMEOUT_MS,
    trustProxy: trustedProxies(context.config),
    forceCloseConnections: 'idle',
    return503OnClosing: false,
  });
  app.setSerializerCompiler(createSerializerCompiler());
  installErrorHandler(app, context);
  installSecurityHeaders(app, context);
  registerHealthRoutes(app, context);
  return app;
}
