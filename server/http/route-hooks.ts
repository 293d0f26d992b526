/** Puts a hook in front of a route's hooks, which may be none, one or a list. */
export function withFirst<Hook>(hook: Hook, hooks: Hook | Hook[] | undefined): Hook[] {
  if (hooks === undefined) return [hook];
  return [hook, ...(Array.isArray(hooks) ? hooks : [hooks])];
}
