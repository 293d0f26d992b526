import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../context.ts';
import { findSlugAtDomain } from '../forms/address/address-queries.ts';
import { publicFormNotFound } from '../http/errors.ts';
import { createFailurePage } from './failure.ts';

/**
 * On a domain of forms the dashboard has no screens: its addresses lead to the form of the domain, if any. Form pages work under
 * every name that leads here.
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
      // A temporary redirect: the form may get another slug, and the domain another form.
      return reply.redirect(`/forms/${slug}${search}`, 302);
    },
  };
}
