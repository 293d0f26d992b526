import { createToken } from './client.ts';
import { startOwnService } from './own-service.ts';
import { runExample } from './run-example.ts';

const { FORMSTEAD_URL, FORMSTEAD_TOKEN } = process.env;

try {
  process.exitCode = FORMSTEAD_URL ? await runAt(FORMSTEAD_URL, FORMSTEAD_TOKEN) : await runAtOwnService();
} catch (error) {
  const { message, cause } = error as Error;
  process.stderr.write(`${message}${cause instanceof Error ? ` (${cause.message})` : ''}\n`);
  process.exitCode = 1;
}

async function runAtOwnService(): Promise<number> {
  const service = await startOwnService();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void service.stop().finally(() => process.exit(1)));
  }
  try {
    return await runAt(service.url);
  } finally {
    await service.stop();
  }
}

/** @returns the exit code */
async function runAt(url: string, token?: string): Promise<number> {
  const log = (line: string) => process.stdout.write(`${line}\n`);
  const { problems } = await runExample({ url, token: token ?? (await createToken(url)), log });
  return problems.length === 0 ? 0 : 1;
}
