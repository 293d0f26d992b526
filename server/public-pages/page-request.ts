import type { FastifyRequest } from 'fastify';
import Type from 'typebox';
import type { VisitedForm } from './visited-form.ts';

/** Whoever asks for a page of a form. */
export type PageRequest = FastifyRequest<{ Params: { form: string } }>;

export const pageParams = Type.Object({ form: Type.String({ description: 'Slug or UUID' }) });

/** The form they ask for, in their language. @throws HttpError 404 for unknown and draft forms */
export type FindAskedForm = (request: PageRequest) => Promise<VisitedForm>;
