import type { Piece } from './xml.ts';

/** Gathers the text of a cell or of a shared text, which may consist of several runs; phonetic readings are left out. */
export function writtenText() {
  let text = '';
  let within = '';
  let isSpoken = false;
  return {
    read({ kind, name, text: more }: Piece): void {
      if (kind === 'text') {
        if (within === 'v' || (within === 't' && !isSpoken)) text += more;
        return;
      }
      within = kind === 'open' ? name : '';
      if (name === 'rPh') isSpoken = kind === 'open';
    },

    begin(): void {
      text = '';
    },

    current: (): string => text,
  };
}
