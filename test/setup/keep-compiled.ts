import { join } from 'node:path';

/** All test files and the services they start load the same packages: Node.js keeps the compiled code in one folder. */
export function keepCompiled(): void {
  process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, '../../node_modules/.cache/compiled');
}
