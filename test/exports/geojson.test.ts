import { describe, expect, test } from 'vitest';
import { useHome } from '../setup/home.ts';
import { download } from './download.ts';
import { finishedJob } from './finished-job.ts';
import { storeMany, storeSubmissions } from './stored-submissions.ts';

/** Answers as a file for maps (RFC 7946). */
const LIMIT = 50;
const home = useHome({ env: { EXPORT_SYNC_LIMIT: String(LIMIT) } });
const exported = (form: { id: number }, columns: string[], more = {}) =>
  download(home, form, 'geojson', columns, more);

const FIELDS = [
  { id: 'note', type: 'text', name: 'Note "of\\ the"\tday' },
  { id: 'place', type: 'location', name: 'Place' },
  { id: 'count', type: 'number', name: 'Count' },
  { id: 'done', type: 'checkbox', name: 'Done' },
  { id: 'home', type: 'location', name: 'Home' },
];
const ALL = ['note', 'place', 'count', 'done', 'home'];

const aForm = () => home.form({ title: 'Map', properties: FIELDS });

const point = (longitude: number, latitude: number) => ({
  type: 'Point',
  coordinates: [longitude, latitude],
});

describe('a GeoJSON file', () => {
  test('has a point for each answer, longitude first, and everything else as its properties', async () => {
    const form = await aForm();
    const hostile = 'a\tb\nc\\d "e" \u2028 </script> 😀';
    for (const answers of [
      { note: hostile, place: '-33.86, 151.21 ±12.5 m', count: -0.5, done: true, home: '1, 2' },
      { note: '=1+1', count: 1e15 },
    ])
      expect((await home.submit(form, answers)).status).toBe(200);
    const answer = await exported(form, ALL);
    expect(answer.headers.get('content-type')).toBe('application/geo+json');
    expect(answer.headers.get('content-disposition')).toContain(`${form.slug}-submissions.geojson"`);
    const [note] = FIELDS.map(({ name }) => name) as [string];
    expect(await answer.json()).toEqual({
      type: 'FeatureCollection',
      features: [
        {
          type: 'Feature',
          geometry: null,
          properties: { [note]: '=1+1', Place: null, Count: 1e15, Done: null, Home: null },
        },
        {
          type: 'Feature',
          geometry: point(151.21, -33.86),
          properties: {
            [note]: hostile,
            Place: '-33.86, 151.21 ±12.5 m',
            Count: -0.5,
            Done: true,
            Home: '1, 2',
          },
        },
      ],
    });
  });

  test('takes its points from the first column with locations', async () => {
    const form = await aForm();
    await home.submit(form, { place: '10, 20', home: '1, 2' });
    const { features } = (await (await exported(form, ['home', 'place', 'id'])).json()) as any;
    expect(features[0].geometry).toEqual(point(2, 1));
    expect(Object.keys(features[0].properties)).toEqual(['Home', 'Place', 'id']);
    expect(features[0].properties.id).toBeTypeOf('number');
  });

  test('of a form without answers is empty, and one without a column with locations is refused', async () => {
    const form = await aForm();
    expect(await (await exported(form, ['place'])).json()).toEqual({
      type: 'FeatureCollection',
      features: [],
    });
    const refused = await exported(form, ['note']);
    expect(refused.status).toBe(422);
    expect(await refused.json()).toMatchObject({
      errors: { format: ['A GeoJSON file needs a column with locations.'] },
    });
  });

  test('of what was answered before the question asked for a location has no geometry', async () => {
    const form = await aForm();
    await storeSubmissions(home.service, form.id, [
      { place: 'Berlin' },
      { place: '12.03.2024, 14.30' },
      { place: '1234, 5678' },
      { place: ['1, 2', '3, 4'] },
      { count: 'many' },
    ]);
    const { features } = (await (await exported(form, ALL)).json()) as any;
    expect(features.map(({ geometry }: any) => geometry)).toEqual([null, null, null, null, null]);
    expect(features[0].properties.Count).toBe('many');
    expect(features[4].properties.Place).toBe('Berlin');
  });

  test('with many answers is a job, with everything in it, packed where that is asked for', async () => {
    const form = await aForm();
    await storeMany(home.service, form.id, 'note', 3_000);
    await home.submit(form, { place: '10, 20' });
    const started = await exported(form, ['place', 'note']);
    const { file_url: url, processed_submissions: rows } = await finishedJob(home, form, started);
    expect(rows).toBe(3_001);
    const answer = await fetch(url, { headers: { 'accept-encoding': 'gzip' } });
    expect(answer.headers.get('content-encoding')).toBe('gzip');
    const { features } = (await answer.json()) as any;
    expect(features).toHaveLength(3_001);
    expect(features[0].geometry).toEqual(point(20, 10));
    expect(new Set(features.map(({ properties }: any) => Object.values(properties)[1])).size).toBe(3_001);
  });
});
