import { type HttpConnection, openConnection, writeRequest } from './http-connection.ts';
import { latencyOf } from './statistics.ts';
import type { LoadResult } from './submit-load.ts';

interface PageLoad {
  /** Address of the page. */
  url: string;
  headers: Record<string, string>;
  connections: number;
  seconds: number;
}

/** Requests one page as often as possible; each connection asks again as soon as it is answered. */
export async function pageLoad({ url, headers, connections: count, seconds }: PageLoad): Promise<LoadResult> {
  const request = writeRequest('GET', url, { headers });
  const connections = await Promise.all(Array.from({ length: count }, () => openConnection(url)));
  const latencies: number[] = [];
  const startedAt = performance.now();
  const endsAt = startedAt + seconds * 1000;

  async function keepAsking(connection: HttpConnection): Promise<void> {
    for (let askedAt = performance.now(); askedAt < endsAt; ) {
      const { status } = await connection.send(request);
      if (status !== 200) throw new Error(`The page was answered ${status}.`);
      const answeredAt = performance.now();
      latencies.push(answeredAt - askedAt);
      askedAt = answeredAt;
    }
  }

  try {
    await Promise.all(connections.map(keepAsking));
    const elapsed = (performance.now() - startedAt) / 1000;
    return { acknowledged: latencies.length, seconds: elapsed, latency: latencyOf(latencies) };
  } finally {
    for (const connection of connections) connection.close();
  }
}
