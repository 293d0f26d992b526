import type { KyselyPlugin } from 'kysely';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { createVisitCounts } from '../../server/statistics/visit-counts.ts';
import { useHome } from '../setup/home.ts';

const home = useHome({ env: { ROLES: 'http' } });

test('what is counted is written by one statement at a time, whoever asks for it', async () => {
  const form = await home.form();
  let [underWay, most] = [0, 0];
  const watch: KyselyPlugin = {
    transformQuery({ node }) {
      most = Math.max(most, ++underWay);
      return node;
    },
    async transformResult({ result }) {
      underWay--;
      return result;
    },
  };
  const visits = createVisitCounts(home.service.context.db.withPlugin(watch), pino({ level: 'silent' }));
  const flushes: Promise<void>[] = [];
  const view = () => visits.add(form.id, 'view', '');
  for (let n = 0; n < 20; n++) {
    view();
    flushes.push(visits.flush(), visits.flush());
    if (n % 3 === 0) await flushes.at(-1);
  }
  view();
  await visits.stop();
  await Promise.all(flushes);
  expect(most).toBe(1);
  expect((await home.call('GET', `/open/forms/${form.id}/statistics`)).body.totals.views).toBe(21);
});
