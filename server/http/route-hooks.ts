/** The hooks of a route with one more in front; Fastify takes none, one or a list. */
export function withFirst<Hook>(hook: Hook, hooks: Hook | Hook[] | undefined): Hook[] {
  if (hooks === undefined) return [hook];
  return [hook, ...(Array.isArray(hooks) ? hooks : [hooks])];
}
