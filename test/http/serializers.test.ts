import fastJsonStringify from 'fast-json-stringify';
import { expect, test } from 'vitest';
import { buildApp } from '../../server/app.ts';
import { useHome } from '../setup/home.ts';

const home = useHome({ env: { ROLES: 'http' } });

test('every schema of an answer compiles: the service does that only when the answer is given', async () => {
  const app = await buildApp(home.service.context);
  const failures: string[] = [];
  let compiled = 0;
  // Compiles at once every schema that the lazy compiler may be asked for later.
  app.setSerializerCompiler(({ schema, method, url, httpStatus }) => {
    compiled++;
    try {
      return fastJsonStringify(schema as object);
    } catch (error) {
      failures.push(`${method} ${url} ${httpStatus}: ${(error as Error).message}`);
      return () => '';
    }
  });
  await app.ready();
  await app.close();
  expect(failures).toEqual([]);
  expect(compiled).toBeGreaterThan(200);
});
