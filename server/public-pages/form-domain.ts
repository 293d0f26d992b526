import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../context.ts';
import { findSlugAtDomain } from '../forms/address-queries.ts';
import { publicFormNotFound } from '../http/errors.ts';
import { createFailurePage } from './failure.ts';

/**
 * What stands before the screens of the dashboard: under a domain of forms there are none, but the form that has it. Its pages
 * are found under every name that leads here.
 */
export function createFormDomainDoor(context: Context) {
  const { config, db } = context;
  return {
    failurePage: createFailurePage(context),
    async enter(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> {
      const name = request.hostname.toLowerCase();
      if (!config.formDomains.has(name)) return;
      const { pathname, search } = new URL(request.url, context.baseUrl());
      const slug = pathname === '/' ? await findSlugAtDomain(db, name) : null;
      if (slug === null) throw publicFormNotFound();
      // Not for good: it may get another name, and the domain another form.
      return reply.redirect(`/forms/${slug}${search}`, 302);
    },
  };
}
