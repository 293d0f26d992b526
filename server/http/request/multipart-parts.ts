import { Readable } from 'node:stream';
import { Busboy, type BusboyHeaders } from '@fastify/busboy';
import type { FastifyRequest } from 'fastify';
import { bodyTooLarge, HttpError } from '../errors.ts';

/** A chosen file, or an input in which none was chosen. */
export interface FilePart {
  /** A part may have no name. */
  name: string | undefined;
  fileName: string;
  /** Has to be read to its end before the next part comes. */
  file: Readable;
}

interface TextPart {
  name: string | undefined;
  text: string;
}

interface Limits {
  parts: number;
  files: number;
  /** Of all names and texts together. */
  bytes: number;
}

/**
 * The parts of a multipart body, in order. Unlike the reader that `installMultipart` adds to requests it takes any name: fields may be
 * called `constructor`.
 * @throws HttpError 400; 413 for more bytes than the limit; other errors for a body that ends early or is malformed
 */
export async function* partsOf(
  { raw }: FastifyRequest,
  { parts: most, files, bytes: mostBytes }: Limits,
): AsyncGenerator<FilePart | TextPart> {
  const limits = { parts: most, files, fieldSize: mostBytes };
  const parser = new Busboy({ headers: raw.headers as BusboyHeaders, limits, isPartAFile });
  const parts = new Readable({ objectMode: true, read() {} });
  let lastFile: Readable | null = null;
  let hasTooMany = false;
  let isEmpty = true;
  let bytes = 0;
  /** Files that came and whose reader has not asked for more. */
  let unread = 0;

  const fail = (error: Error) => {
    raw.unpipe(parser);
    // Whoever reads the file now would wait for the rest of it for ever.
    lastFile?.destroy(error);
    parts.destroy(error);
  };
  const goOn = () => {
    // A pipe that was taken off while it wrote has left one behind, which nothing else removes.
    parser.removeAllListeners('drain');
    raw.pipe(parser);
  };
  const end = () => parts.push(null);
  const noteTooMany = () => {
    hasTooMany = true;
  };
  const onData = () => {
    isEmpty = false;
  };
  const onClose = () => {
    if (!raw.readableEnded) fail(new Error('The multipart body was terminated early.'));
  };
  /** Counted as they arrive, as whoever reads the parts may be busy with a file for minutes. */
  const isWithinLimit = (isCut: boolean, ...texts: (string | undefined)[]) => {
    for (const text of texts) bytes += Buffer.byteLength(text ?? '');
    if (!isCut && bytes <= mostBytes) return true;
    fail(bodyTooLarge(mostBytes));
    return false;
  };
  parser.on('field', (name, text, _isNameCut, isCut, _encoding, type) => {
    if (type.startsWith('application/json'))
      return fail(new HttpError(400, 'A part of the multipart body may not be JSON.'));
    if (isWithinLimit(isCut, name, text)) parts.push({ name, text } satisfies TextPart);
  });
  parser.on('file', (name, file, fileName) => {
    lastFile = file;
    // Told by the parser, or by whoever reads the file.
    file.on('error', () => {});
    if (!isWithinLimit(false, name, fileName)) return;
    // The parser waits for ever for the end of a file that was given up.
    file.on('close', () => file.readableEnded || end());
    parts.push({ name, fileName, file } satisfies FilePart);
    unread++;
    // Others wait on the sender's side. The file before this one is there as a whole.
    if (unread > 1) raw.unpipe(parser);
  });
  parser.on('partsLimit', noteTooMany);
  parser.on('filesLimit', noteTooMany);
  parser.on('finish', end);
  // A body without any bytes is a form without inputs.
  parser.on('error', (error: Error) => (isEmpty ? end() : fail(error)));
  raw.once('data', onData);
  raw.on('error', fail);
  raw.on('close', onClose);
  raw.pipe(parser);
  // Then it has been closed already, which nobody is told again.
  if (raw.destroyed) onClose();
  try {
    for await (const part of parts) {
      if (hasTooMany) break;
      yield part;
      if ('file' in part && --unread === 1) goOn();
    }
    if (hasTooMany) throw new HttpError(400, 'The multipart body has too many parts.');
  } finally {
    raw.off('error', fail);
    raw.off('close', onClose);
    raw.unpipe(parser);
    // The sender gets to read the answer when all was read.
    raw.resume();
  }
}

/** A part without file name is text, whatever its content type (RFC 7578, 4.2). */
function isPartAFile(_name: string | undefined, _type: string | undefined, fileName: string | undefined) {
  return fileName !== undefined;
}
