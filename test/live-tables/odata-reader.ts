import { expect } from 'vitest';
import type { Home } from '../setup/home.ts';

export interface ODataAnswer {
  status: number;
  headers: Headers;
  text: string;
  /** null for what is no JSON. */
  body: any;
}

/** A program that knows nothing but the address of the service. */
export interface ODataReader {
  /** The service root. */
  url: string;
  /** Id of the live table. */
  id: number;
  get(path: string, headers?: Record<string, string>): Promise<ODataAnswer>;
  /** The entities of a page, which has to be there. */
  values(path: string, headers?: Record<string, string>): Promise<any[]>;
  /** Those of all pages, following the next links; `pages` is how many there were. */
  all(path: string, headers?: Record<string, string>): Promise<{ values: any[]; pages: number }>;
}

/** Makes a live table of the form and reads it. */
export async function anODataReader(home: Home, form: { id: number }): Promise<ODataReader> {
  const made = await home.call('POST', `/open/forms/${form.id}/live-tables`, { name: 'Report' });
  expect(made.status, made.text).toBe(200);
  const { id, odata_url: url } = made.body;
  const read = async (address: string, headers: Record<string, string> = {}): Promise<ODataAnswer> => {
    const answer = await fetch(address, { headers, redirect: 'error' });
    const text = await answer.text();
    const isJson = answer.headers.get('content-type')?.startsWith('application/json');
    return { status: answer.status, headers: answer.headers, text, body: isJson ? JSON.parse(text) : null };
  };
  const page = async (address: string, headers?: Record<string, string>) => {
    const { status, text, body } = await read(address, headers);
    expect(status, text).toBe(200);
    return body;
  };
  return {
    url,
    id,
    get: (path, headers) => read(url + path, headers),
    values: async (path, headers) => (await page(url + path, headers)).value,
    async all(path, headers) {
      const values: any[] = [];
      let pages = 0;
      for (let next = url + path; next; pages++) {
        const { value, '@odata.nextLink': link } = await page(next, headers);
        values.push(...value);
        next = link;
      }
      return { values, pages };
    },
  };
}

/** `Submissions?` with the options, encoded. */
export function asking(set: string, options: Record<string, string>): string {
  const written = Object.entries(options).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  return `${set}?${written.join('&')}`;
}

/** Checks a refusal in OData's shape. @returns its message */
export function expectODataError({ status, headers, body, text }: ODataAnswer, expected: number): string {
  expect(status, text).toBe(expected);
  expect(headers.get('odata-version')).toBe('4.0');
  expect(Object.keys(body)).toEqual(['error']);
  expect(body.error).toEqual({
    code: expect.stringMatching(/^[A-Z]\w+$/),
    message: expect.stringMatching(/\w/),
  });
  return body.error.message;
}
