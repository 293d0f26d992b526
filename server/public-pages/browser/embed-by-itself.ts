/*
 * When a form on another site opens by itself, and when not: this visitor closed it or sent it not long ago, or is not one of those
 * who are asked. What the site can say stands in docs/embedding.md.
 */

/** What is remembered on the device of a visitor, by the site; times in milliseconds since 1970. */
interface Memory {
  closed?: number;
  sent?: number;
  /** From 0 to 100: who is asked where not everybody is. */
  draw?: number;
}

const DAY_MS = 86_400_000;
/** How long nobody must have pressed a key: a dialog takes the focus, and with it the words of whoever is typing. */
const TYPING_MS = 3_000;
const PAUSE_MS = 1_000;
let typedAt = Number.NEGATIVE_INFINITY;

/** A form that may open by itself. */
interface Opening {
  /** The form can be filled in. */
  onReady(): void;
  /** It was closed or sent, however it was opened. */
  remember(what: 'closed' | 'sent'): void;
}

/**
 * Opens the form once on this page, after the first of the cues in `data-open`.
 * @param address of the form, by which it is remembered
 * @param load makes the form ready; it is done again where somebody has opened the form meanwhile
 */
export function openByItself(
  host: HTMLElement,
  address: URL,
  { load, open }: { load: () => void; open: () => void },
): Opening {
  const { open: cues = '', again = '7', againSent = 'never', visitors = '100' } = host.dataset;
  const key = `formstead:${address.origin}${address.pathname}`;
  const ownDraw = Math.random() * 100;
  let isOver = false;
  let isSent = false;
  let onReady = () => {};
  const ready = new Promise<void>((resolve) => {
    onReady = resolve;
  });

  const mayOpen = () => {
    const { closed, sent, draw = ownDraw } = read(key);
    const share = Number.parseFloat(visitors);
    if (share < 100) keep(key, { draw });
    return !isOver && host.isConnected && draw < share && isPast(closed, again) && isPast(sent, againSent);
  };
  const openInTime = async () => {
    await firstOf(cues);
    if (!mayOpen()) return;
    while (isInTheWay()) await pause();
    load();
    await ready;
    // That may have taken long. From here to the opening nothing else happens on the page.
    while (isInTheWay()) await pause();
    if (mayOpen()) open();
  };
  void openInTime();

  return {
    onReady,
    remember(what) {
      isOver = true;
      isSent ||= what === 'sent';
      // Whoever has sent it closes the thanks.
      if (!cues || (isSent && what === 'closed')) return;
      // What comes again on every page need not be remembered.
      if ((what === 'sent' ? againSent : again) !== '0') keep(key, { [what]: Date.now() });
    },
  };
}

/** Waits for the first of some cues: seconds, a part of the page, a pointer that leaves. What is none never comes. */
function firstOf(cues: string): Promise<void> {
  return new Promise((resolve) => {
    for (const cue of cues.split(/\s+/)) {
      const [, amount, unit] = /^(\d+)(s|%)$/.exec(cue) ?? [];
      if (unit === 's') setTimeout(resolve, Number(amount) * 1_000);
      if (unit === '%')
        addEventListener('scroll', () => {
          const { scrollHeight } = document.documentElement;
          if (scrollY >= ((scrollHeight - innerHeight) * Number(amount)) / 100) resolve();
        });
      // Over the upper edge: to the address, the tabs or the button that closes.
      if (cue === 'leave')
        document.addEventListener('mouseout', ({ relatedTarget, clientY }) => {
          if (!relatedTarget && clientY <= 0) resolve();
        });
    }
  });
}

/** Whether nobody would see it, or somebody is at something else. */
function isInTheWay(): boolean {
  return (
    document.hidden || document.querySelector('dialog[open]') !== null || Date.now() < typedAt + TYPING_MS
  );
}

// On the way down: editors keep keys to themselves.
document.addEventListener(
  'keydown',
  () => {
    typedAt = Date.now();
  },
  true,
);

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
}

/** @param days whatever is no number, as `never`, is for as long as the device remembers */
function isPast(time: number | undefined, days: string): boolean {
  return time === undefined || Date.now() >= time + Number.parseFloat(days) * DAY_MS;
}

function read(key: string): Memory {
  try {
    return JSON.parse(localStorage.getItem(key) ?? '') ?? {};
  } catch {
    return {};
  }
}

/** Where the browser keeps nothing, a form opens once on every page. */
function keep(key: string, change: Memory): void {
  try {
    localStorage.setItem(key, JSON.stringify({ ...read(key), ...change }));
  } catch {}
}
