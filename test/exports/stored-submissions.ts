import type { TestService } from '../setup/service.ts';

/** Writes submissions of a form straight into the database, and updates the counters. */
export async function storeSubmissions(service: TestService, formId: number, rows: object[]): Promise<void> {
  await service.context.pool.query(
    `with added as (
       insert into submissions (form_id, public_id, status, data)
       select $1, gen_random_uuid(), 'completed', row from jsonb_array_elements($2::jsonb) as row returning 1
     )
     update form_counters set completed_count = completed_count + (select count(*) from added) where form_id = $1`,
    [formId, JSON.stringify(rows)],
  );
}

/** Rows per statement, so that none exceeds the service's time limit. */
const CHUNK = 10_000;

/** Stores this many submissions `{"<fieldId>": "answer <n>"}`, with n counting from 1. */
export async function storeMany(
  service: TestService,
  formId: number,
  fieldId: string,
  count: number,
): Promise<void> {
  for (let first = 1; first <= count; first += CHUNK)
    await service.context.pool.query(
      `with added as (
         insert into submissions (form_id, public_id, status, data)
         select $1, gen_random_uuid(), 'completed', jsonb_build_object($2::text, 'answer ' || n)
         from generate_series($3::int, $4::int) n order by n returning 1
       )
       update form_counters set completed_count = completed_count + (select count(*) from added) where form_id = $1`,
      [formId, fieldId, first, Math.min(count, first + CHUNK - 1)],
    );
}
