import { join } from 'node:path';

/** Every test file and every service one starts loads the same packages: Node.js keeps them compiled, in a folder of its own. */
export function keepCompiled(): void {
  process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, '../../node_modules/.cache/compiled');
}
