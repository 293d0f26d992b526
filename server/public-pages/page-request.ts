import type { FastifyRequest } from 'fastify';
import Type from 'typebox';
import type { VisitedForm } from './visit/visited-form.ts';

/** A request for a page of a form. */
export type PageRequest = FastifyRequest<{ Params: { form: string } }>;

export const pageParams = Type.Object({ form: Type.String({ description: 'Slug or UUID' }) });

/**
 * Finds the requested form, in the visitor's language.
 * @throws HttpError 404 for unknown and draft forms
 */
export type FindAskedForm = (request: PageRequest) => Promise<VisitedForm>;
