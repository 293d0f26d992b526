import fastJsonStringify from 'fast-json-stringify';
import type { FastifySchema, FastifySerializerCompiler } from 'fastify/types/schema.js';

type Write = (body: unknown) => string;

/**
 * Compiles the serializer of a schema when it is first used, which takes up to 15 ms. Fastify compiles all of them at the start: most
 * are never used, and would take 5 MB and a fifth of the start.
 */
export function createSerializerCompiler(): FastifySerializerCompiler<FastifySchema> {
  return ({ schema }) => {
    let write: Write | undefined;
    return (body) => {
      write ??= fastJsonStringify(schema);
      return write(body);
    };
  };
}
