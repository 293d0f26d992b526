import { mkdtemp, rm } from 'node:fs/promises';
import type { IncomingMessage, Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import S3rver from '@20minutes/s3rver';
import { afterAll } from 'vitest';

/** The only key pair the server knows; it refuses requests signed with any other (AWS Signature Version 4). */
const KEY = 'S3RVER';

export interface Bucket {
  /** Settings of a service that keeps its files in this bucket. */
  env: Record<string, string>;
  server: Server;
  close(): Promise<void>;
}

/** A new S3 server with an empty bucket. */
export async function startBucket(name = 'forms'): Promise<Bucket> {
  const directory = await mkdtemp(join(tmpdir(), 'formstead-bucket-'));
  const s3 = new S3rver({
    address: '127.0.0.1',
    port: 0,
    directory,
    silent: true,
    configureBuckets: [{ name }],
  });
  s3.proxy = true;
  const { port } = await s3.run();
  const { httpServer: server } = s3;
  server.prependListener('request', keepLastSlash);
  return {
    env: {
      S3_BUCKET: name,
      S3_ENDPOINT: `http://127.0.0.1:${port}`,
      S3_ACCESS_KEY_ID: KEY,
      S3_SECRET_ACCESS_KEY: KEY,
    },
    server,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** @returns starts buckets that end with the file, and returns the settings of a service that keeps its files there */
export function useBuckets(): () => Promise<Record<string, string>> {
  const buckets: Bucket[] = [];
  afterAll(() => Promise.all(buckets.map((bucket) => bucket.close())));
  return async () => {
    const bucket = await startBucket();
    buckets.push(bucket);
    return bucket.env;
  };
}

/**
 * The server drops the slash of `/bucket/` when it computes the signature, but keeps it where the host names the bucket. So it
 * is told that the host does.
 */
function keepLastSlash(request: IncomingMessage & { baseUrl?: string }): void {
  const [, bucket, query = ''] = /^\/([^/?]+)\/(\?.*)?$/.exec(request.url ?? '') ?? [];
  if (bucket === undefined) return;
  request.url = `/${query}`;
  request.baseUrl = '/';
  request.headers['x-forwarded-host'] = bucket;
}
