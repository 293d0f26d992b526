import type { Home } from '../setup/home.ts';

/** Requests a file as Ada. @param columns a list, since objects do not keep the order of keys that are numbers */
export function download(
  home: Home,
  form: { id: number },
  format: string,
  columns: string[],
  more: object = {},
  signal?: AbortSignal,
): Promise<Response> {
  const members = columns.map((name) => `${JSON.stringify(name)}:true`).join(',');
  const rest = JSON.stringify({ format, ...more }).slice(1);
  return fetch(`${home.service.url}/open/forms/${form.id}/submissions/export`, {
    method: 'POST',
    headers: { authorization: `Bearer ${home.ada.token}`, 'content-type': 'application/json' },
    body: `{"columns":{${members}},${rest}`,
    signal: signal ?? null,
  });
}
