import type { Page } from '../page.ts';
import { Refusal, uploadKept } from './sending.ts';
import { type KeptFile, readFile, removeFiles, writeFile } from './waiting.ts';

/** Kept files of one page. */
interface KeptFiles {
  /**
   * The filled-in values, with each file replaced by the name it is kept under.
   * @returns null if a file could not be kept
   */
  namesFor(entries: [string, string | File][]): Promise<[string, string][] | null>;
}

/** Keeps the files of this page from the moment they are chosen until the form is sent. */
export function keepFiles(page: Page): KeptFiles {
  /** Names of kept files, by the value that stands for the file in the form. */
  const names = new Map<string, string>();
  const keep = async (file: File) => {
    // The name looks like a reference, because the form's rules check for one.
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
          // From an input that no part of the script has taken over.
          const own = await keep(value).catch(() => null);
          if (own === null) return null;
          kept.push([name, own]);
        }
      }
      return kept;
    },
  };
}

/** @returns false if a file has to wait longer */
async function uploadAll(page: Page, names: Map<string, string>): Promise<boolean> {
  for (const input of page.form.querySelectorAll<HTMLInputElement>('.uploaded input')) {
    const { name, value } = input;
    try {
      const reference = await uploadKept(page.data, name, value);
      if (reference === null) return false;
      names.set(reference, names.get(value) ?? value);
      input.value = reference;
    } catch (error) {
      // A file that the device cannot read keeps its name, and the service refuses it.
      if (error instanceof Refusal) await tellRefused(input, error.message);
    }
  }
  return true;
}

/** As with a file that is refused when it is chosen. */
async function tellRefused(input: HTMLInputElement, text: string): Promise<void> {
  const { fail } = await import('../controls/upload.ts');
  const [item, list] = [input.closest('li'), input.closest('ul')];
  input.remove();
  if (item && list) fail(list, item, text);
}
