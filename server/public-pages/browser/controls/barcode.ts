import { make, type Page, say } from '../page.ts';
import { announceChange, followDisabled } from './style.ts';

/** The part of `BarcodeDetector` used here; not all browsers have it, and TypeScript ships no types for it yet. */
interface Detector {
  detect(source: HTMLVideoElement): Promise<{ rawValue: string }[]>;
}
type DetectorClass = new (options: { formats: string[] }) => Detector;

const FORMATS: Readonly<Record<string, string>> = {
  qr_reader: 'qr_code',
  ean_reader: 'ean_13',
  ean_8_reader: 'ean_8',
  upc_reader: 'upc_a',
  upc_e_reader: 'upc_e',
  code_128_reader: 'code_128',
  code_39_reader: 'code_39',
};

/** Adds a button that reads the code with the camera, where the browser can; elsewhere the code is typed. */
export function enhanceBarcode(element: HTMLElement, page: Page): void {
  const BarcodeDetector = (window as { BarcodeDetector?: DetectorClass }).BarcodeDetector;
  if (!BarcodeDetector || !navigator.mediaDevices) return;
  const input = element as HTMLInputElement;
  const wanted = (input.dataset.decoders ?? '').split(',').flatMap((name) => FORMATS[name] ?? []);
  const formats = wanted.length > 0 ? wanted : Object.values(FORMATS);
  const button = make('button', { type: 'button', class: 'quiet' }, say(page, 'scan'));
  const status = make('p', { class: 'hint', role: 'status' });
  const video = make('video', { playsinline: '', hidden: '', 'aria-label': say(page, 'scanHint') });
  Object.assign(video.style, { inlineSize: '100%', borderRadius: 'var(--radius)' });
  let stream: MediaStream | null = null;
  /** Raised by every start and stop, so that results of an earlier turn are ignored. */
  let turn = 0;

  const stop = () => {
    turn++;
    stopTracks(stream);
    stream = null;
    video.hidden = true;
    button.textContent = say(page, 'scan');
  };
  const look = async (detector: Detector, own: number): Promise<void> => {
    if (own !== turn) return;
    const [code] = await detector.detect(video).catch(() => []);
    if (own !== turn) return;
    if (!code) {
      requestAnimationFrame(() => void look(detector, own));
      return;
    }
    input.value = code.rawValue;
    announceChange(input);
    status.textContent = say(page, 'scanned', { code: code.rawValue });
    stop();
    input.focus();
  };
  button.addEventListener('click', async () => {
    if (stream) return stop();
    const own = ++turn;
    try {
      const detector = new BarcodeDetector({ formats });
      const received = await navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment' } });
      if (own !== turn) return stopTracks(received);
      stream = received;
      video.srcObject = stream;
      video.hidden = false;
      await video.play();
      if (own !== turn) return;
      button.textContent = say(page, 'stopScan');
      status.textContent = say(page, 'scanHint');
      await look(detector, own);
    } catch {
      if (own !== turn) return;
      stop();
      status.textContent = say(page, 'noCamera');
    }
  });
  addEventListener('pagehide', stop);
  page.listeners.push((event) => event !== 'change' && stop());
  followDisabled(input, button);
  input.after(button, video, status);
}

function stopTracks(stream: MediaStream | null): void {
  for (const track of stream?.getTracks() ?? []) track.stop();
}
