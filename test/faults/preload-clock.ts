// Loaded into the service with --import: adds the milliseconds in the file CLOCK_SHIFT to the machine's clock.
import { readFileSync, watchFile } from 'node:fs';

const file = process.env.CLOCK_SHIFT ?? '';
const RealDate = Date;
let shiftMs = read();
watchFile(file, { interval: 100, persistent: false }, () => {
  shiftMs = read();
});

function read(): number {
  return Number(readFileSync(file, 'utf8'));
}

class ShiftedDate extends RealDate {
  constructor(...values: unknown[]) {
    if (values.length === 0) super(RealDate.now() + shiftMs);
    else super(...(values as [number]));
  }

  static override now(): number {
    return RealDate.now() + shiftMs;
  }
}

globalThis.Date = ShiftedDate as DateConstructor;
