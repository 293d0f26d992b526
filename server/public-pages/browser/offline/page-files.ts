import type { Page } from '../page.ts';
import { Refusal, uploadKept } from './sending.ts';
import { type KeptFile, readFile, removeFiles, writeFile } from './waiting.ts';

/** Of one page. */
interface KeptFiles {
  /**
   * What was filled in, its files replaced by the names they are kept under.
   * @returns null where one could not be kept
   */
  namesFor(entries: [string, string | File][]): Promise<[string, string][] | null>;
}

/** Keeps the files of this page from when they are chosen until the form is sent. */
export function keepFiles(page: Page): KeptFiles {
  /** Names they are kept under, by what stands for them in the form. */
  const names = new Map<string, string>();
  const keep = async (file: File) => {
    // Looks like a reference itself, which is what the rules of the form want.
    const ending = /\.[a-z0-9]{1,10}$/i.exec(file.name)?.[0] ?? '';
    const name = `${crypto.randomUUID()}${ending}`;
    await writeFile(name, { file, keptAt: Date.now() });
    names.set(name, name);
    return name;
  };
  const note = async (name: string, what: Partial<KeptFile>) => {
    const kept = await readFile(name);
    if (kept) await writeFile(name, { ...kept, ...what });
  };
  page.files = {
    keep,
    begun: (name, upload) => note(name, { upload }),
    arrived(name, reference) {
      names.set(reference, name);
      return note(name, { reference });
    },
    drop: (name) => void removeFiles([name]).catch(() => {}),
    deliver: () => uploadAll(page, names),
  };
  page.listeners.push((event) => {
    if (event === 'sent') return removeFiles(names.values()).catch(() => {});
  });
  return {
    async namesFor(entries) {
      const kept: [string, string][] = [];
      for (const [name, value] of entries) {
        if (typeof value === 'string') kept.push([name, names.get(value) ?? value]);
        else if (value.name !== '') {
          // Of an input that no part of the script has taken over.
          const own = await keep(value).catch(() => null);
          if (own === null) return null;
          kept.push([name, own]);
        }
      }
      return kept;
    },
  };
}

/** @returns false where one has to wait on */
async function uploadAll(page: Page, names: Map<string, string>): Promise<boolean> {
  for (const input of page.form.querySelectorAll<HTMLInputElement>('.uploaded input')) {
    const { name, value } = input;
    try {
      const reference = await uploadKept(page.data, name, value);
      if (reference === null) return false;
      names.set(reference, names.get(value) ?? value);
      input.value = reference;
    } catch (error) {
      // What the device cannot read the service judges as it stands.
      if (error instanceof Refusal) await tellRefused(input, error.message);
    }
  }
  return true;
}

/** As of a file that is refused when it is chosen. */
async function tellRefused(input: HTMLInputElement, text: string): Promise<void> {
  const { fail } = await import('../controls/upload.ts');
  const [item, list] = [input.closest('li'), input.closest('ul')];
  input.remove();
  if (item && list) fail(list, item, text);
}
