import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type GeneratedFile, generatedFiles } from '../scripts/generated-files.ts';
import { startService, type TestService } from './setup/service.ts';

let service: TestService;
let files: GeneratedFile[];

beforeAll(async () => {
  service = await startService();
  files = await generatedFiles(service.context);
});
afterAll(() => service.stop());

test.each(['docs/openapi.json', 'dashboard/api/schema.ts', 'server/db/schema.ts'])(
  '%s is what `npm run generate` writes',
  async (path) => {
    const kept = await readFile(new URL(`../${path}`, import.meta.url), 'utf8');
    expect(files.find((file) => file.path === path)?.content).toBe(kept);
  },
);
