/** One person's visit to the survey, as far as they come. */
export interface Visit {
  device: 'phone' | 'desktop' | 'tablet';
  referrer: string | null;
  isStarted: boolean;
  reachesLastPage: boolean;
  end: 'sent' | 'partial' | 'left';
  answers: Record<string, unknown>;
  /** Seconds */
  completionTime: number;
  source: Record<string, string> | null;
}

const FIRST_NAMES =
  'Amira Ben Clara David Elif Felix Greta Hugo Ines Jakob Karla Leo Mira Noah Olga Paul'.split(' ');
const LAST_NAMES =
  'Adler Brandt Costa Dubois Eriksen Fischer Gruber Horvat Ivanova Jansen Keller Lopez'.split(' ');
const OTHER_NAMES = ['ليلى حداد', 'Zoë Brânză', 'Søren Ørsted', 'José Álvarez', 'Łucja Żak'];
const MEMORIES = [
  'The light in the last room, just before closing.',
  'The garden! We stayed for two hours.',
  'The guide who knew a story for every painting.',
  'My daughter still talks about the bronze fox.',
  'The special exhibition. We came back the next day to see it again.',
  'Quiet rooms, friendly people, good coffee.',
  'The map of the old town with all its bridges.',
  'That one may sit on the floor and draw.',
];
const WISHES = [
  'Larger labels, please. They are hard to read from a wheelchair.',
  'The café was closed already at four.',
  'It took us long to find the entrance from the river.',
  'More benches, and a place for wet umbrellas.',
  'The audio guide stopped twice.',
];
const SITES: [string | null, number][] = [
  [null, 44],
  ['https://www.google.com/', 26],
  ['https://www.instagram.com/', 14],
  ['https://riverside-museum.example/visit', 11],
  ['https://www.facebook.com/', 5],
];
const SOURCES: [Record<string, string> | null, number][] = [
  [null, 46],
  [{ utm_source: 'poster', utm_medium: 'qr', utm_campaign: 'autumn' }, 24],
  [{ utm_source: 'newsletter', utm_medium: 'email', utm_campaign: 'autumn' }, 19],
  [{ utm_source: 'instagram', utm_medium: 'social', utm_campaign: 'light' }, 11],
];

/** Makes the same visits every time. */
export function* someVisits(count: number, seed: number): Generator<Visit> {
  const random = randomFrom(seed);
  const chance = (share: number) => random() < share;
  const among = <Item>(items: readonly Item[]): Item =>
    items[Math.floor(random() * items.length)] ?? (items[0] as Item);
  const weighted = <Item>(items: [Item, number][]): Item => {
    let rest = random() * items.reduce((sum, [, weight]) => sum + weight, 0);
    const found = items.find(([, weight]) => {
      rest -= weight;
      return rest < 0;
    });
    return (found ?? (items[0] as [Item, number]))[0];
  };

  for (let index = 0; index < count; index++) {
    const isStarted = chance(0.68);
    const reachesLastPage = isStarted && chance(0.86);
    const isSent = reachesLastPage && chance(0.87);
    const isPartial = isStarted && !isSent && chance(0.6);
    const first = among(FIRST_NAMES);
    const last = among(LAST_NAMES);
    const name = chance(0.05) ? among(OTHER_NAMES) : `${first} ${last}`;
    const stars = weighted<number>([
      [5, 46],
      [4, 30],
      [3, 14],
      [2, 7],
      [1, 3],
    ]);
    const firstPage = {
      name,
      mail: chance(0.7) ? `${first}.${last}@example.com`.toLowerCase() : null,
      found: weighted([
        ['Friends', 34],
        ['Poster', 24],
        ['Social media', 19],
        ['Passing by', 14],
        ['Newspaper', 9],
      ]),
      seen: ['Paintings', 'Sculptures', 'Garden', 'Special exhibition'].filter((_, at) =>
        chance([0.8, 0.45, 0.6, 0.5][at] ?? 0),
      ),
      party: 1 + Math.floor(random() ** 2 * 6),
    };
    const lastPage = {
      stars,
      recommend: Math.min(10, stars * 2 + Math.floor(random() * 2)),
      ...(stars <= 3 && chance(0.7) && { better: among(WISHES) }),
      ...(chance(0.55) && { best: among(MEMORIES) }),
      write: chance(0.4),
    };
    yield {
      device: weighted<Visit['device']>([
        ['phone', 58],
        ['desktop', 35],
        ['tablet', 7],
      ]),
      referrer: weighted(SITES),
      isStarted,
      reachesLastPage,
      end: isSent ? 'sent' : isPartial ? 'partial' : 'left',
      answers: isSent ? { ...firstPage, ...lastPage } : firstPage,
      completionTime: 45 + Math.floor(random() ** 2 * 260),
      source: weighted(SOURCES),
    };
  }
}

/** Numbers from 0 to 1 (xorshift, 32 bits). */
export function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}
