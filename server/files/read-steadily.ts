import type { Readable } from 'node:stream';
import type { FileStore } from './file-store.ts';

/** How often reading a file is tried; each attempt goes on where the one before broke off. */
const ATTEMPTS = 3;

/** Null when the store has no such file. When reading breaks off it goes on by a new connection: files never change. */
export async function readSteadily(files: FileStore, name: string): Promise<AsyncIterable<Buffer> | null> {
  const first = await files.read(name);
  return first && steadily(first, files, name);
}

async function* steadily(first: Readable, files: FileStore, name: string): AsyncGenerator<Buffer> {
  let content = first;
  let sent = 0;
  for (let attempt = 1; ; attempt++) {
    let skip = sent;
    try {
      for await (const chunk of content as AsyncIterable<Buffer>) {
        const rest = chunk.subarray(Math.min(skip, chunk.length));
        skip -= chunk.length - rest.length;
        if (rest.length > 0) yield rest;
        sent += rest.length;
      }
      return;
    } catch (error) {
      const again = attempt < ATTEMPTS ? await files.read(name) : null;
      if (again === null) throw error;
      content = again;
    }
  }
}
