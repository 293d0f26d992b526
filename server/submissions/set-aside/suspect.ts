import { SizedCache } from '../../../fields/sized-cache.ts';
import type { Context } from '../../context.ts';
import { clientNetwork } from '../../http/network/client-network.ts';
import type { PublishedForm } from '../published-form/published-form.ts';
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
  SUSPICION_CODES,
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

/** What was found out about the answers of one request. */
export interface Suspicion {
  /** Why they look like spam; empty if they do not, or if the form has set aside as many as it may. */
  reasons: readonly Reason[];
  /** To be called if they are not stored after all: a request that is sent again has not sent its texts twice. */
  takeBack(): void;
}

const LINK = /(?:https?:\/\/|www\.)[^\s<>"'[\]()]+/gi;
const BEFORE_HOST = /^(?:https?:\/\/)?(?:www\.)?/;
/** Tried where such signs begin, or a long row of them would be tried from each. */
const AFTER_ADDRESS = /(?<![/.,;:!?])[/.,;:!?]+$/;
/** Texts that one process remembers, as hashes. */
const MAX_REMEMBERED = 20_000;
type Remembered = SizedCache<string, { count: number; until: number }>;
const rememberedBy = new WeakMap<Context, Remembered>();

export async function suspect(
  context: Context,
  form: PublishedForm,
  { answers }: Pick<Change, 'answers'>,
  { address, page }: Sender,
): Promise<Suspicion> {
  const texts = [...writtenTexts(form.properties, answers)];
  const sent = page?.hasWaited ? null : countAsSent(context, form, texts, address);
  const reasons: Reason[] = [];
  if (page?.hasFilledTrap) reasons.push('hidden_field');
  if (page && page.madeAt !== null && Date.now() - page.madeAt * 1_000 < FASTEST_MS) reasons.push('too_fast');
  if (countLinks(texts) > MAX_LINKS) reasons.push('many_links');
  if (sent && sent.count > MAX_SAME_TEXTS) reasons.push('repeated');
  const hasRoom =
    reasons.length === 0 || (await countSetAside(context.db, form.id, SUSPICION_CODES)) < MAX_SET_ASIDE;
  const takeBack = () => {
    if (sent) sent.count--;
  };
  return { reasons: hasRoom ? reasons : [], takeBack };
}

/** Different ones: rich text has an address both as the link and as its text, which may leave out how it begins. */
function countLinks(texts: readonly string[]): number {
  const links = texts.flatMap((text) => text.match(LINK) ?? []);
  return new Set(links.map((link) => link.toLowerCase().replace(BEFORE_HOST, '').replace(AFTER_ADDRESS, '')))
    .size;
}

/**
 * Counts the texts of a submission as sent. Only a keyed hash of form, network and texts is remembered, in memory, by each process for
 * itself.
 * @returns how often they came lately, this time included; null without a text that is long enough
 */
function countAsSent(context: Context, { id }: PublishedForm, texts: readonly string[], address: string) {
  const text = texts
    .map((one) => one.trim().replace(/\s+/g, ' ').toLowerCase())
    .filter((one) => one.length >= SHORTEST_SAME_TEXT)
    .join('\n');
  if (text === '') return null;
  const remembered: Remembered = rememberedBy.get(context) ?? new SizedCache(MAX_REMEMBERED);
  rememberedBy.set(context, remembered);
  const key = context.secrets.sign(`${id} ${clientNetwork(address)} ${text}`, 'same-text');
  const now = performance.now();
  const known = remembered.get(key);
  const sent = known && known.until > now ? known : { count: 0, until: now + SAME_TEXTS_MS };
  sent.count++;
  remembered.set(key, sent, 1);
  return sent;
}
