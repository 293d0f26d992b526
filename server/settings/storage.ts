import { join, resolve } from 'node:path';
import { bucketFolder, isBucketAddress } from '../backup/bucket-folder.ts';
import { ConfigError, integer, oneOf, text, url } from './values.ts';

export interface S3Server {
  region: string;
  endpoint: string | null;
  accessKeyId: string | null;
  secretAccessKey: string | null;
}

export interface S3Config extends S3Server {
  bucket: string;
}

export interface BackupConfig {
  /** A directory that ends with a slash, or a folder of a bucket: `s3://bucket/folder`. */
  to: string;
  /** Minute of the day, UTC. */
  at: number;
  /** Number of backups. */
  keep: number;
  withKey: boolean;
}

export function s3Server(env: NodeJS.ProcessEnv): S3Server {
  const accessKeyId = text(env, 'S3_ACCESS_KEY_ID');
  const secretAccessKey = text(env, 'S3_SECRET_ACCESS_KEY');
  if ((accessKeyId === null) !== (secretAccessKey === null))
    throw new ConfigError('S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY belong together: set both or neither.');
  const region = text(env, 'S3_REGION') ?? 'us-east-1';
  const endpoint = url(env, 'S3_ENDPOINT', ['http:', 'https:'], 'https://s3.example.org');
  return { region, endpoint, accessKeyId, secretAccessKey };
}

export function s3(env: NodeJS.ProcessEnv): S3Config | null {
  const bucket = text(env, 'S3_BUCKET');
  if (bucket !== null && /[^\w.-]/.test(bucket))
    throw new ConfigError('S3_BUCKET must be the name of a bucket alone; where it is stands in S3_ENDPOINT.');
  if (bucket !== null) return { bucket, ...s3Server(env) };
  const names = ['S3_REGION', 'S3_ENDPOINT', 'S3_ACCESS_KEY_ID'];
  if (names.every((name) => text(env, name) === null) || isBucketAddress(text(env, 'BACKUP_TO') ?? ''))
    return null;
  throw new ConfigError('S3_BUCKET must name the bucket that the other S3_ settings are for; or unset them.');
}

export function backup(env: NodeJS.ProcessEnv): BackupConfig | null {
  const to = text(env, 'BACKUP_TO');
  const rest = ['BACKUP_AT', 'BACKUP_KEEP', 'BACKUP_KEY'].find((name) => text(env, name) !== null);
  if (to === null && rest !== undefined) throw new ConfigError(`${rest} needs BACKUP_TO: where backups go.`);
  if (to === null) return null;
  if (isBucketAddress(to) && bucketFolder(to) === null)
    throw new ConfigError('BACKUP_TO must be a directory, or a folder of a bucket: s3://backups/formstead.');
  return {
    to: isBucketAddress(to) ? to : join(resolve(to), '/'),
    at: minuteOfDay(env, 'BACKUP_AT', '03:15'),
    keep: integer(env, 'BACKUP_KEEP', { fallback: 7, min: 1, max: 1000 }),
    withKey: oneOf(env, 'BACKUP_KEY', ['included', 'left-out'], 'included') === 'included',
  };
}

function minuteOfDay(env: NodeJS.ProcessEnv, name: string, fallback: string): number {
  const value = text(env, name) ?? fallback;
  const [, hours, minutes] = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(value) ?? [];
  if (hours === undefined || minutes === undefined)
    throw new ConfigError(`${name} must be a time of day in UTC, from 00:00 to 23:59, not "${value}".`);
  return Number(hours) * 60 + Number(minutes);
}
