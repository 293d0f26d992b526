import { find, make, type Page, say } from '../page.ts';
import { addStyle, announceChange } from './style.ts';
import { addFiles, removeItems, uploadPlace } from './upload.ts';

const STYLE = `.pad{display:block;inline-size:100%;block-size:11rem;background:#fff;border:1px solid var(--border);
border-radius:var(--radius);touch-action:none;cursor:crosshair}`;
const INK = '#111';
const WIDTH = 2.5; // pixels

type Point = [x: number, y: number];

/** Adds an area to draw in, above the inputs for a typed name and for an uploaded picture. The latest of the three counts. */
export function enhanceSignature(place: HTMLElement, page: Page): void {
  const typed = find<HTMLInputElement>('[data-typed]', place);
  const file = find<HTMLInputElement>('[type=file]', place);
  const name = typed?.name ?? file?.name ?? '';
  const canvas = make('canvas', { class: 'pad', role: 'img', 'aria-label': say(page, 'signatureArea') });
  const context = canvas.getContext('2d');
  const answer = make('input', { type: 'hidden', name, 'data-drawing': '' });
  const undo = make('button', { type: 'button', class: 'quiet' }, say(page, 'undo'));
  const clear = make('button', { type: 'button', class: 'quiet' }, say(page, 'clear'));
  if (!context || !typed || !file) return;
  let strokes: Point[][] = [];
  /** The strokes being drawn, by pointer id; pointers that only pass over the pad, or are released there, draw nothing. */
  const drawn = new Map<number, Point[]>();

  const draw = () => {
    const scale = devicePixelRatio;
    const { width, height } = canvas.getBoundingClientRect();
    canvas.width = Math.round(width * scale);
    canvas.height = Math.round(height * scale);
    context.scale(scale, scale);
    context.fillStyle = '#fff';
    context.fillRect(0, 0, width, height);
    Object.assign(context, { strokeStyle: INK, lineWidth: WIDTH, lineCap: 'round', lineJoin: 'round' });
    for (const [first = [0, 0] as Point, ...rest] of strokes) {
      context.beginPath();
      context.moveTo(...first);
      for (const point of rest.length > 0 ? rest : [first]) context.lineTo(...point);
      context.stroke();
    }
    undo.disabled = strokes.length === 0;
    clear.disabled = strokes.length === 0;
  };
  const write = () => {
    draw();
    answer.value = strokes.length === 0 ? '' : canvas.toDataURL('image/png');
    announceChange(answer);
  };
  const wipe = () => {
    strokes = [];
    drawn.clear();
    answer.value = '';
    draw();
  };
  const pointOf = ({ clientX, clientY }: PointerEvent): Point => {
    const { left, top } = canvas.getBoundingClientRect();
    return [clientX - left, clientY - top];
  };
  canvas.addEventListener('pointerdown', (event) => {
    if (typed.matches(':disabled')) return;
    canvas.setPointerCapture(event.pointerId);
    const stroke = [pointOf(event)];
    drawn.set(event.pointerId, stroke);
    strokes.push(stroke);
    draw();
  });
  canvas.addEventListener('pointermove', (event) => {
    const stroke = drawn.get(event.pointerId);
    if (!stroke) return;
    stroke.push(pointOf(event));
    draw();
  });
  const finish = ({ pointerId }: PointerEvent) => {
    if (!drawn.delete(pointerId)) return;
    typed.value = '';
    removeItems(uploads.list);
    write();
  };
  canvas.addEventListener('pointerup', finish);
  // What was drawn before the device took the pointer away is kept.
  canvas.addEventListener('pointercancel', finish);
  undo.addEventListener('click', () => {
    strokes.pop();
    write();
  });
  clear.addEventListener('click', () => {
    wipe();
    announceChange(answer);
  });
  const uploads = uploadPlace(page, file, place.firstElementChild as HTMLElement);
  uploads.onArrival = () => {
    typed.value = '';
    wipe();
  };
  const take = () => {
    addFiles(uploads, file.files ?? []);
    file.value = '';
  };
  file.addEventListener('change', take);
  if (file.files?.length) take();
  typed.addEventListener('input', () => {
    if (typed.value === '') return;
    removeItems(uploads.list);
    wipe();
  });
  addStyle(STYLE);
  const drawing = make('div', {}, canvas, make('div', { class: 'row' }, undo, clear), answer);
  typed.closest('label')?.before(drawing);
  // On a hidden step the canvas has no size yet.
  new ResizeObserver(draw).observe(canvas);
}
