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
import type { S3Config } from '../config.ts';
import type { FileStore } from './file-store.ts';
import { NoAnswer } from './no-answer.ts';
import { NoRoom } from './no-room.ts';

const CONNECT_TIMEOUT_MS = 5_000;
/** A server that sends nothing for so long is given up; it may be the reader who takes nothing. */
const READING_SILENCE_MS = 60_000;
/** The same where it takes nothing, or answers nothing to what it has taken: with three tries, each some seconds more, less than a proxy in front waits. */
const WRITING_SILENCE_MS = 12_000;
/** For an answer that waits for no file, tries included: less than a proxy in front lets anybody wait. */
const ANSWER_TIMEOUT_MS = 20_000;
/** Bytes of a part, but for the last, and parts of a file: what S3 takes. */
const MIN_PART = 5 * 1024 * 1024;
/** Two parts are in memory at a time. */
const MAX_PART = 64 * 1024 * 1024;
const MAX_PARTS = 10_000;
/** One for each file on its way, as a disk has. With a limit, slow downloads would keep everybody else from uploading. */
const CONNECTIONS = { maxSockets: Number.POSITIVE_INFINITY };

/** Files in a bucket of S3 or of anything that speaks its protocol. Uploads go in parts, so memory stays flat. */
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
        // Parts one after the other: memory for one per upload, not for four.
        queueSize: 1,
        partSize,
        params: { Bucket, Key: name, Body: content, ContentType: 'application/octet-stream' },
      });
      let broken: Error | null = null;
      content.once('error', (error) => {
        broken = error;
      });
      await upload.done().catch((error: unknown) => {
        // After a stream that broke the parts are taken back, and a server that refuses that would hide why.
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

/** What comes after the answer takes its own time. @throws NoAnswer */
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
    // Checksums beyond the protocol's own are not understood by every server.
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
