import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach } from 'vitest';

/** A site that embeds forms of the service, on another host name and port. */
interface OtherSite {
  url: string;
  /** Markup that its page shows below its own text. */
  markup: string;
  headers: Record<string, string>;
}

export function useOtherSite(): OtherSite {
  let server: Server;
  const site: OtherSite = { url: '', markup: '', headers: {} };
  beforeAll(async () => {
    server = createServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', ...site.headers });
      response.end(`<!doctype html><html lang="en"><title>Shop</title><body><p>Our shop</p>${site.markup}`);
    });
    await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
    site.url = `http://localhost:${(server.address() as AddressInfo).port}`;
  });
  beforeEach(() => {
    site.headers = {};
  });
  afterAll(() => server.close());
  return site;
}
