const PIECES = 120;
const LASTS_MS = 2_500;
const COLORS = ['#f43f5e', '#f59e0b', '#10b981', '#3b82f6', '#8b5cf6'];
/** Pixels per second, and per second squared. */
const SPEED = 900;
const GRAVITY = 1_400;

/** A short shower over the page, unless the visitor prefers reduced motion. */
export function throwConfetti(): void {
  const canvas = document.createElement('canvas');
  const context = canvas.getContext('2d');
  if (!context || matchMedia('(prefers-reduced-motion: reduce)').matches) return;
  canvas.ariaHidden = 'true';
  Object.assign(canvas.style, { position: 'fixed', inset: '0', pointerEvents: 'none' });
  canvas.width = innerWidth;
  canvas.height = innerHeight;
  document.body.append(canvas);
  const pieces = Array.from({ length: PIECES }, (_, index) => {
    const angle = Math.PI * (1 + Math.random());
    const speed = SPEED * (0.4 + Math.random());
    return {
      color: COLORS[index % COLORS.length] ?? '',
      across: Math.cos(angle) * speed,
      up: Math.sin(angle) * speed,
      turn: Math.random() * 12,
      size: 5 + Math.random() * 6,
    };
  });
  const start = performance.now();
  const draw = (now: number) => {
    const seconds = (now - start) / 1_000;
    context.clearRect(0, 0, canvas.width, canvas.height);
    for (const { color, across, up, turn, size } of pieces) {
      context.save();
      const y = canvas.height * 0.6 + up * seconds + (GRAVITY * seconds * seconds) / 2;
      context.translate(canvas.width / 2 + across * seconds, y);
      context.rotate(turn * seconds);
      context.fillStyle = color;
      context.fillRect(-size / 2, -size / 4, size, size / 2);
      context.restore();
    }
    if (now - start < LASTS_MS) requestAnimationFrame(draw);
    else canvas.remove();
  };
  requestAnimationFrame(draw);
}
