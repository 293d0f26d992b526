import { expect, test } from 'vitest';
import { personValue } from '../../server/privacy/person-value.ts';
import { search, searchDrafts, searchRecipients } from '../../server/privacy/search.ts';
import { aField } from '../setup/factories.ts';
import { useHome } from '../setup/home.ts';
import { prepareRows } from '../setup/prepare-rows.ts';

/** One person among answers so large that a statement over thousands of them would exceed its time limit. */
const home = useHome();
const MAIL = aField('01', 'email', 'Mail');
const TEXT = aField('02', 'text', 'Text');
const PERSON = 'grace@example.org';
/** A megabyte each; compressed in the database, an eightieth of it. */
const LARGE = `jsonb_build_object('${TEXT.id}', repeat('long text ', 100000), '${MAIL.id}',
  case when n % 20 = 1 then '${PERSON}' else n || '@example.org' end)`;
const LARGE_ONES = 40;
const SMALL_DRAFTS = 3_000;
const RECIPIENTS = 3_000;

const ask = async (what: string, cursor: string | null = null) => {
  const path = `/open/workspaces/${home.workspaceId}/people/${what}`;
  const answer = await home.call('POST', path, { value: PERSON, ...(cursor !== null && { cursor }) });
  expect(answer.status).toBe(200);
  return answer.body;
};

/** Everything found, in as many pages as a slow machine needs. */
async function findAll() {
  const first = await ask('find');
  const submissions = [...first.submissions];
  for (let { cursor } = first; cursor !== null; ) {
    const page = await ask('find', cursor);
    submissions.push(...page.submissions);
    cursor = page.cursor;
  }
  return { ...first, submissions };
}

async function eraseAll() {
  const erased: Record<string, number> = {};
  let cursor: string | null = null;
  do {
    const page = await ask('erase', cursor);
    for (const [what, count] of Object.entries<number>(page.erased))
      erased[what] = (erased[what] ?? 0) + count;
    cursor = page.cursor;
  } while (cursor !== null);
  return erased;
}

test('large answers and many drafts are looked through in steps of bytes, and nobody is left out', async () => {
  const [first, second] = [await home.form({ properties: [MAIL, TEXT] }), await home.form()];
  const storeDrafts = `insert into form_drafts (form_id, id_hash, answers)
    select $1, decode(md5(n::text), 'hex'), ${LARGE} from generate_series(1, $2::int) n`;
  const storeSmallDrafts = storeDrafts.replace('100000', '10');
  await prepareRows(
    home.service,
    [
      `insert into submissions (form_id, public_id, status, data)
       select $1, gen_random_uuid(), 'completed', ${LARGE} from generate_series(1, $2::int) n`,
      [first.id, LARGE_ONES],
    ],
    ['update form_counters set completed_count = $2::int where form_id = $1', [first.id, LARGE_ONES]],
    [storeDrafts, [first.id, LARGE_ONES]],
    [storeSmallDrafts, [second.id, SMALL_DRAFTS]],
  );
  const { db } = home.service.context;
  const sought = { workspaceId: home.workspaceId, value: personValue(PERSON) };
  const [submissionsFound, draftsFound]: [number[], number[]] = [[], []];
  for await (const { hits } of search(db, sought)) submissionsFound.push(hits.length);
  for await (const hits of searchDrafts(db, sought)) draftsFound.push(hits.length);
  expect(submissionsFound.length).toBeGreaterThan(1);
  expect(draftsFound.length).toBeGreaterThan(1);

  const drafts = (LARGE_ONES + SMALL_DRAFTS) / 20;
  const found = await findAll();
  expect(found.drafts).toBe(drafts);
  expect(found.submissions).toHaveLength(2);
  const exported = await ask('export');
  expect(exported.submissions).toHaveLength(2);
  expect(exported.drafts).toHaveLength(drafts);
  expect(await eraseAll()).toMatchObject({ submissions: 2, drafts });
});

test('long lists of recipients are looked through in steps, and nobody is left out', async () => {
  const forms = [await home.form({ properties: [MAIL, TEXT] }), await home.form()];
  for (const { id } of forms)
    await prepareRows(
      home.service,
      ['insert into personal_links (form_id) values ($1)', [id]],
      [
        `insert into recipients (form_id, code, name, prefill)
         select $1, md5(n::text), n::text, case when n % 2 = 1 then ${LARGE.replace('100000', '10')} end
         from generate_series(1, $2::int) n`,
        [id, RECIPIENTS],
      ],
      [
        `insert into recipients (form_id, code, email, email_key) values ($1, 'last', $2::text, $2::text)`,
        [id, PERSON],
      ],
    );
  const { db } = home.service.context;
  const steps: number[] = [];
  for await (const { recipients } of searchRecipients(db, {
    workspaceId: home.workspaceId,
    value: personValue(PERSON),
  }))
    steps.push(recipients.length);
  expect(steps.length).toBeGreaterThan(forms.length);
  // In each form, every twentieth recipient has the address, and so has the last.
  const count = forms.length * (1 + RECIPIENTS / 20);
  expect(await ask('find')).toMatchObject({ recipients: count });
  expect((await ask('export')).recipients).toHaveLength(count);
  expect(await eraseAll()).toMatchObject({ recipients: count });
  expect(await ask('find')).toMatchObject({ recipients: 0 });
});
