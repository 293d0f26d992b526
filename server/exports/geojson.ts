import { Transform } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { coordinatesOf } from '../../fields/as-text/locations.ts';
import { isPlainNumber } from '../../fields/as-text/numbers.ts';
import { type ExportColumn, kindOf, placeIndex } from './columns/columns.ts';
import { ABSENT, createLineCutter, linesOf, unescapeField } from './copy-lines.ts';

const HEAD = '{"type":"FeatureCollection","features":[';
const TAIL = '\n]}\n';

/**
 * Makes a GeoJSON file (RFC 7946) of the output of a `COPY … TO STDOUT` in text format, as it comes. Each submission is a feature; its
 * point is the answer in the column of `placeIndex`, its properties are all columns. Without a place the geometry is null.
 */
export function createFeatures(columns: ExportColumn[]): Transform {
  const cut = createLineCutter();
  const place = placeIndex(columns);
  const names = columns.map(({ header }) => JSON.stringify(header));
  const kinds = columns.map(kindOf);
  let separator = HEAD;

  function featureOf(line: string): string {
    const fields = line.split('\t').map((field) => (field === ABSENT ? null : unescapeField(field)));
    const properties = fields.map((text, index) => `${names[index]}:${writtenValue(text, kinds[index])}`);
    const feature = `{"type":"Feature","geometry":${pointOf(fields[place])},"properties":{${properties.join(',')}}}`;
    const text = `${separator}\n${feature}`;
    separator = ',';
    return text;
  }

  async function write(bytes: Buffer): Promise<void> {
    for (const text of cut(bytes)) {
      let features = '';
      for (const line of linesOf(text)) features += featureOf(line);
      collection.push(features);
      await turn();
    }
  }

  const collection: Transform = new Transform({
    transform: (bytes: Buffer, _encoding, done) => void write(bytes).then(() => done(), done),
    flush: (done) => done(null, separator === HEAD ? `${HEAD}${TAIL}` : TAIL),
  });
  return collection;
}

/** Longitude first (RFC 7946, 3.1.1). */
function pointOf(text: string | null | undefined): string {
  const coordinates = text ? coordinatesOf(text) : null;
  if (coordinates === null) return 'null';
  const [latitude, longitude] = coordinates.map(Number);
  return `{"type":"Point","coordinates":[${longitude},${latitude}]}`;
}

/** A value that does not fit the kind of the column is written as text. */
function writtenValue(text: string | null, kind: ReturnType<typeof kindOf> | undefined): string {
  if (text === null) return 'null';
  if (kind === 'number' && isPlainNumber(text)) return text;
  if (kind === 'boolean' && (text === 'true' || text === 'false')) return text;
  return JSON.stringify(text);
}
