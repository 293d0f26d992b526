import type { createServer as CreateServer, IncomingMessage, Server, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';

/**
 * As much of Amazon's S3 as the store needs: put, get and delete an object, list a prefix, upload in parts. Path
 * style, one bucket, no check of signatures.
 */
export function createBucketServer(createServer: typeof CreateServer): Server {
  const objects = new Map<string, Buffer>();
  const uploads = new Map<string, Map<number, Buffer>>();
  let lastUpload = 0;

  return createServer((request, response) => {
    handle(request, response).catch((error) => response.writeHead(500).end(String(error)));
  });

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://bucket');
    const [, , ...rest] = pathname.split('/');
    const key = decodeURIComponent(rest.join('/'));
    const body = await buffer(request);
    const uploadId = searchParams.get('uploadId');
    const parts = uploads.get(uploadId ?? '');
    switch (request.method) {
      case 'PUT':
        if (parts) parts.set(Number(searchParams.get('partNumber')), body);
        else objects.set(key, body);
        response.setHeader('etag', '"etag"').end();
        return;
      case 'POST':
        if (searchParams.has('uploads')) {
          lastUpload += 1;
          uploads.set(String(lastUpload), new Map());
          return xml(
            response,
            `<InitiateMultipartUploadResult><Bucket>b</Bucket><Key>${key}</Key><UploadId>${lastUpload}</UploadId></InitiateMultipartUploadResult>`,
          );
        }
        if (!parts) return missing(response, 'NoSuchUpload');
        objects.set(key, Buffer.concat([...parts].sort(([a], [b]) => a - b).map(([, part]) => part)));
        uploads.delete(uploadId ?? '');
        return xml(
          response,
          `<CompleteMultipartUploadResult><Key>${key}</Key><ETag>"etag"</ETag></CompleteMultipartUploadResult>`,
        );
      case 'DELETE':
        if (uploadId !== null) uploads.delete(uploadId);
        else objects.delete(key);
        response.writeHead(204).end();
        return;
      default: {
        if (searchParams.has('list-type')) return list(response, searchParams.get('prefix') ?? '');
        const object = objects.get(key);
        if (object) response.end(object);
        else missing(response, 'NoSuchKey');
      }
    }
  }

  function list(response: ServerResponse, prefix: string): void {
    const keys = [...objects.keys()].filter((key) => key.startsWith(prefix));
    const contents = keys.map((key) => `<Contents><Key>${key}</Key></Contents>`).join('');
    xml(response, `<ListBucketResult><IsTruncated>false</IsTruncated>${contents}</ListBucketResult>`);
  }
}

function xml(response: ServerResponse, content: string): void {
  response
    .setHeader('content-type', 'application/xml')
    .end(`<?xml version="1.0" encoding="UTF-8"?>${content}`);
}

function missing(response: ServerResponse, code: string): void {
  response.writeHead(404, { 'content-type': 'application/xml' }).end(`<Error><Code>${code}</Code></Error>`);
}
