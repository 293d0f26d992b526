import { SizedCache } from '../../../fields/sized-cache.ts';
import type { Context } from '../../context.ts';
import { clientNetwork } from '../../http/client-network.ts';
import type { PublishedForm } from '../published-forms.ts';
import type { Change } from '../store-change.ts';
import { countSetAside } from './queries.ts';
import {
  FASTEST_MS,
  MAX_LINKS,
  MAX_SAME_TEXTS,
  MAX_SET_ASIDE,
  type Reason,
  SAME_TEXTS_MS,
  SHORTEST_SAME_TEXT,
} from './reasons.ts';
import { writtenTexts } from './written-texts.ts';

/** What a page of ours tells about how it was filled in. */
export interface PageSigns {
  hasFilledTrap: boolean;
  /** When the page was made, in seconds since 1970; null where that is not proven. */
  madeAt: number | null;
  /** It waited on the device for a network, perhaps with others. */
  hasWaited: boolean;
}

interface Sender {
  /** IP address. */
  address: string;
  /** null for answers that did not come from a page of ours. */
  page: PageSigns | null;
}

const LINK = /(?:https?:\/\/|www\.)[^\s<>"'[\]()]+/gi;
/** Texts that one process remembers, as hashes. */
const MAX_REMEMBERED = 20_000;
type Remembered = SizedCache<string, { count: number; until: number }>;
const rememberedBy = new WeakMap<Context, Remembered>();

/** Why these answers look like spam; empty if they do not, or if the form has set aside as many as it may. */
export async function suspect(
  context: Context,
  form: PublishedForm,
  { answers }: Pick<Change, 'answers'>,
  { address, page }: Sender,
): Promise<readonly Reason[]> {
  const texts = [...writtenTexts(form.properties, answers)];
  const reasons: Reason[] = [];
  if (page?.hasFilledTrap) reasons.push('hidden_field');
  if (page && page.madeAt !== null && Date.now() - page.madeAt * 1_000 < FASTEST_MS) reasons.push('too_fast');
  if (countLinks(texts) > MAX_LINKS) reasons.push('many_links');
  if (!page?.hasWaited && isRepeated(context, form, texts, address)) reasons.push('repeated');
  const hasRoom = reasons.length === 0 || (await countSetAside(context.db, form.id)) < MAX_SET_ASIDE;
  return hasRoom ? reasons : [];
}

/** Different ones: rich text has an address both as the link and as its text. */
function countLinks(texts: readonly string[]): number {
  return new Set(texts.flatMap((text) => text.match(LINK) ?? [])).size;
}

/**
 * Counts the texts of a submission as sent. Only a keyed hash of form, network and texts is remembered, in memory, by each process for
 * itself.
 */
function isRepeated(context: Context, { id }: PublishedForm, texts: readonly string[], address: string) {
  const text = texts
    .map((one) => one.trim().replace(/\s+/g, ' ').toLowerCase())
    .filter((one) => one.length >= SHORTEST_SAME_TEXT)
    .join('\n');
  if (text === '') return false;
  const remembered: Remembered = rememberedBy.get(context) ?? new SizedCache(MAX_REMEMBERED);
  rememberedBy.set(context, remembered);
  const key = context.secrets.sign(`${id} ${clientNetwork(address)} ${text}`, 'same-text');
  const now = performance.now();
  const known = remembered.get(key);
  const seen = known && known.until > now ? known : { count: 0, until: now + SAME_TEXTS_MS };
  seen.count++;
  remembered.set(key, seen, 1);
  return seen.count > MAX_SAME_TEXTS;
}
