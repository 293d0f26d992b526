import type { JsonValue } from '../../fields/property.ts';
import { tableOf } from './json.ts';

/** Extensions for named kinds of files. */
const ENDINGS = tableOf<readonly string[]>({
  image: ['jpg', 'jpeg', 'png', 'gif', 'webp', 'heic'],
  audio: ['mp3', 'm4a', 'wav', 'ogg'],
  video: ['mp4', 'mov', 'webm'],
  pdf: ['pdf'],
  document: ['doc', 'docx', 'odt', 'txt', 'pdf'],
  spreadsheet: ['xls', 'xlsx', 'ods', 'csv'],
  presentation: ['ppt', 'pptx', 'odp', 'pdf'],
});

/**
 * The accepted files of a question, from `.pdf`, `image/*`, `application/pdf` and words such as `IMAGE`.
 * @param note called with kinds that do not exist here; then every file is accepted
 */
export function fileTypes(kinds: readonly string[], note: (text: string) => void): Record<string, JsonValue> {
  const endings = kinds.map((kind) => endingsOf(kind.trim().toLowerCase()));
  if (endings.some((some) => some.length === 0)) {
    note(`It took only some kinds of files. Here it takes all: ${kinds.join(', ')}`);
    return {};
  }
  const all = [...new Set(endings.flat())];
  return all.length === 0 ? {} : { allowed_file_types: all.join(', ') };
}

function endingsOf(kind: string): readonly string[] {
  const [, ending] = /^\.([a-z0-9]{1,10})$/.exec(kind) ?? [];
  if (ending !== undefined) return [ending];
  const [, group = kind, sub = '*'] = /^([a-z]+)\/(\*|[a-z0-9]+)$/.exec(kind) ?? [];
  if (sub === '*') return ENDINGS[group] ?? [];
  if (sub === 'jpeg') return ['jpg', 'jpeg'];
  return ['png', 'gif', 'webp', 'heic', 'pdf', 'mp4', 'csv', 'json', 'zip'].includes(sub) ? [sub] : [];
}
