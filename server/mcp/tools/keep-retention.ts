import { isJsonObject, type JsonObject } from '../../../fields/property.ts';
import { forbidden, HttpError } from '../../http/errors.ts';
import type { Api } from '../api.ts';
import type { FormAnswer } from '../form-view.ts';

/**
 * Only people decide how long answers are kept. Blocks that an assistant sends get the retention that their fields have.
 * @param known reads the blocks that say which; the last one with an id counts
 * @throws HttpError 403 for another retention
 */
export async function keepRetention<Changes extends { properties?: unknown }>(
  changes: Changes,
  known: () => Promise<unknown[]>,
): Promise<Changes> {
  if (!Array.isArray(changes.properties)) return changes;
  const present = new Map(blocksIn(await known()).map(({ id, retention_days: days }) => [id, days]));
  const properties = changes.properties.map((block: unknown) => {
    if (!isJsonObject(block)) return block;
    const { retention_days: sent = null, ...rest } = block;
    const days = present.get(block.id) ?? null;
    if (sent !== null && sent !== days)
      throw forbidden('Assistants cannot set how long answers are kept. It can be set in the dashboard.');
    return days === null ? rest : { ...rest, retention_days: days };
  });
  return { ...changes, properties };
}

/** The blocks of a form as it is published, deleted ones first. */
export async function publishedBlocks(api: Api, path: string): Promise<unknown[]> {
  const { removed_properties: removed, properties }: FormAnswer = await api('GET', path);
  return [...removed, ...properties];
}

/** The same, and then those of its draft, if there is one. */
export async function draftedBlocks(api: Api, path: string): Promise<unknown[]> {
  const published = await publishedBlocks(api, path);
  const draft = await api('GET', `${path}/draft`).catch((error: unknown) => {
    if (error instanceof HttpError && error.statusCode === 404) return null;
    throw error;
  });
  return [...published, ...(draft?.definition.properties ?? [])];
}

function blocksIn(blocks: unknown[]): JsonObject[] {
  return blocks.filter((block): block is JsonObject => isJsonObject(block));
}
