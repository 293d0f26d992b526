import swagger from '@fastify/swagger';
import type { Context } from '../context.ts';
import type { App } from './app-type.ts';

export async function registerOpenApi(app: App, _context: Context): Promise<void> {
  await app.register(swagger, {
    openapi: { openapi: '3.1.0', info: { title: 'Formstead', version: '0.1.0' } },
  });
}
