import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { createGunzip } from 'node:zlib';
import {
  type BackupContent,
  type BackupHeader,
  HEADER,
  MANIFEST,
  type Manifest,
  parseHeader,
  parseManifest,
} from './format.ts';
import { DamagedArchive, type TarEntry, tarEntries } from './tar.ts';

/**
 * Reads a whole backup and compares it with its own manifest.
 * @param look gets the header as soon as it is read, and may refuse by throwing
 * @param leaving ends the reading
 * @throws DamagedArchive when it is no archive, incomplete or altered
 */
export async function checkArchive(
  path: string,
  look: (header: BackupHeader) => void = () => {},
  leaving?: AbortSignal,
): Promise<BackupContent> {
  const digest = createHash('sha256');
  let header: BackupHeader | null = null;
  let manifest: Manifest | null = null;
  for await (const { name, data, blocks } of archiveEntries(path, leaving)) {
    if (manifest !== null) throw new DamagedArchive('The archive goes on behind its end.');
    if (header === null) {
      header = headerOf(name, data);
      look(header);
    }
    if (name === MANIFEST) manifest = parseManifest(data);
    else for (const block of blocks) digest.update(block);
  }
  if (header === null || manifest === null) throw new DamagedArchive('The archive is not complete.');
  if (manifest.sha256 !== digest.digest('hex'))
    throw new DamagedArchive('The archive is damaged: its checksum is another one.');
  return { header, manifest };
}

/** @throws DamagedArchive when the first entry is another one */
function headerOf(name: string, data: Buffer): BackupHeader {
  if (name !== HEADER) throw new DamagedArchive('The file is no backup of Formstead.');
  return parseHeader(data);
}

/** The entries of a compressed archive. @throws DamagedArchive */
export async function* archiveEntries(path: string, signal?: AbortSignal): AsyncGenerator<TarEntry> {
  const file = createReadStream(path, { signal });
  const gunzip = file.pipe(createGunzip());
  file.on('error', (error) => gunzip.destroy(error));
  try {
    yield* tarEntries(gunzip);
  } catch (error) {
    throw isCompressionError(error) ? new DamagedArchive('The file is no archive, or a damaged one.') : error;
  } finally {
    file.destroy();
    gunzip.destroy();
  }
}

function isCompressionError(error: unknown): boolean {
  return String((error as NodeJS.ErrnoException).code).startsWith('Z_');
}
