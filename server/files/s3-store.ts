import type { Readable } from 'node:stream';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  NoSuchKey,
  paginateListObjectsV2,
  S3Client,
  type S3ClientConfig,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import type { S3Config } from '../settings/storage.ts';
import type { FileStore } from './file-store.ts';
import { NoAnswer } from './no-answer.ts';
import { NoRoom } from './no-room.ts';

const CONNECT_TIMEOUT_MS = 5_000;
/** While reading, a connection without any bytes for this time is closed, even if it is the reader that accepts none. */
const READING_SILENCE_MS = 60_000;
/** While writing, until the server accepts bytes or responds: three tries, with pauses, must end before a proxy's timeout. */
const WRITING_SILENCE_MS = 12_000;
/** For the response to a request without a file, all tries together; less than a proxy's timeout. */
const ANSWER_TIMEOUT_MS = 20_000;
/** Limit of S3: every part but the last has at least so many bytes. */
const MIN_PART = 5 * 1024 * 1024;
/** Our own limit, because two parts are in memory at a time. */
const MAX_PART = 64 * 1024 * 1024;
/** Limit of S3 for one file. */
const MAX_PARTS = 10_000;
/** No limit of connections: otherwise slow downloads would keep everybody else from uploading. */
const CONNECTIONS = { maxSockets: Number.POSITIVE_INFINITY };

/** Files in a bucket of S3 or of a server with the same protocol. Files are written in parts, to need little memory. */
export function openS3Store(config: S3Config): FileStore {
  const client = new S3Client(clientConfig(config, READING_SILENCE_MS));
  const writer = new S3Client(clientConfig(config, WRITING_SILENCE_MS));
  const Bucket = config.bucket;
  return {
    async write(name, content, { expectedBytes = 0 } = {}) {
      const partSize = Math.max(MIN_PART, Math.ceil((1.2 * expectedBytes) / MAX_PARTS));
      if (partSize > MAX_PART) {
        content.destroy();
        throw new NoRoom();
      }
      const upload = new Upload({
        client: writer,
        // Parts are sent one after the other, because each one under way takes memory; the default is four.
        queueSize: 1,
        partSize,
        params: { Bucket, Key: name, Body: content, ContentType: 'application/octet-stream' },
      });
      let broken: Error | null = null;
      content.once('error', (error) => {
        broken = error;
      });
      await upload.done().catch((error: unknown) => {
        // When `content` broke, the parts sent so far are removed; an error of that must not hide the first one.
        throw broken ?? error;
      });
    },

    async read(name) {
      try {
        const { Body } = await inTime((until) =>
          client.send(new GetObjectCommand({ Bucket, Key: name }), until),
        );
        return (Body ?? null) as Readable | null;
      } catch (error) {
        if (error instanceof NoSuchKey) return null;
        throw error;
      }
    },

    async remove(name) {
      await inTime((until) => client.send(new DeleteObjectCommand({ Bucket, Key: name }), until));
    },

    space: async () => null,

    async list(folder) {
      const names: string[] = [];
      for await (const page of paginateListObjectsV2({ client }, { Bucket, Prefix: `${folder}/` }))
        for (const { Key } of page.Contents ?? []) if (Key !== undefined) names.push(Key);
      return names;
    },
  };
}

/** Limits the time until the answer begins; its body may take longer. @throws NoAnswer */
async function inTime<Answer>(
  ask: (until: { abortSignal: AbortSignal }) => Promise<Answer>,
): Promise<Answer> {
  const until = new AbortController();
  const timer = setTimeout(() => until.abort(), ANSWER_TIMEOUT_MS);
  try {
    return await ask({ abortSignal: until.signal });
  } catch (error) {
    throw until.signal.aborted ? new NoAnswer() : error;
  } finally {
    clearTimeout(timer);
  }
}

function clientConfig(
  { region, endpoint, accessKeyId, secretAccessKey }: S3Config,
  silenceMs: number,
): S3ClientConfig {
  const settings: S3ClientConfig = {
    region,
    // Not every server understands the checksums that the SDK adds by default.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: CONNECT_TIMEOUT_MS,
      socketTimeout: silenceMs,
      httpAgent: CONNECTIONS,
      httpsAgent: CONNECTIONS,
    },
  };
  if (endpoint !== null) Object.assign(settings, { endpoint, forcePathStyle: true });
  if (accessKeyId !== null && secretAccessKey !== null)
    settings.credentials = { accessKeyId, secretAccessKey };
  return settings;
}
