/*
 * Decides when a form on another site opens by itself. It does not if this visitor closed or sent it recently, or is not in the
 * share of visitors who are asked. The site's settings are in docs/embedding.md.
 */

/** Stored in the visitor's browser, per form; times in milliseconds since 1970. */
interface Memory {
  closed?: number;
  sent?: number;
  /** The visitor's number from 0 to 100, where only a share of visitors is asked. */
  draw?: number;
}

const DAY_MS = 86_400_000;
/** A dialog takes the focus, and with it what is being typed: so it waits until no key was pressed for so long. */
const TYPING_MS = 3_000;
const PAUSE_MS = 1_000;
let typedAt = Number.NEGATIVE_INFINITY;

/** A form that may open by itself. */
interface Opening {
  /** Call it when the form can be filled in. */
  onReady(): void;
  /** Call it when the form was closed or sent, however it was opened. */
  remember(what: 'closed' | 'sent'): void;
}

/**
 * Opens the form once on this page, after the first of the cues in `data-open`.
 * @param address of the form; the memory is kept by it
 * @param load makes the form ready; does it again if the visitor has opened the form meanwhile
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
    // Loading may have taken long, so it waits again. From here to the opening no other code of the page runs.
    while (isInTheWay()) await pause();
    if (mayOpen()) open();
  };
  void openInTime();

  return {
    onReady,
    remember(what) {
      isOver = true;
      isSent ||= what === 'sent';
      // After sending, closing only closes the thanks.
      if (!cues || (isSent && what === 'closed')) return;
      // A form that opens on every page need not be remembered.
      if ((what === 'sent' ? againSent : again) !== '0') keep(key, { [what]: Date.now() });
    },
  };
}

/** Resolves at the first of the cues: seconds, a share of the page, a pointer that leaves. Unknown cues are ignored. */
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
      // Over the upper edge: towards the address bar, the tabs or the close button.
      if (cue === 'leave')
        document.addEventListener('mouseout', ({ relatedTarget, clientY }) => {
          if (!relatedTarget && clientY <= 0) resolve();
        });
    }
  });
}

/** Whether a dialog would be unseen or would disturb the visitor now. */
function isInTheWay(): boolean {
  return (
    document.hidden || document.querySelector('dialog[open]') !== null || Date.now() < typedAt + TYPING_MS
  );
}

// In the capturing phase, because editors stop key events from bubbling.
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

/** @param days a text that is no number, such as `never`, means: not before the browser forgets */
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

/** Where the browser stores nothing, the form opens once on every page. */
function keep(key: string, change: Memory): void {
  try {
    localStorage.setItem(key, JSON.stringify({ ...read(key), ...change }));
  } catch {}
}
