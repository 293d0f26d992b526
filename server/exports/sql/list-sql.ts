import pg from 'pg';

const literal = pg.escapeLiteral;

/** SQL of a list of texts. */
export function textArray(texts: readonly string[]): string {
  return `array[${texts.map((text) => literal(text)).join(', ')}]::text[]`;
}

/** SQL of the items of a list as one text. */
export function listText(value: string): string {
  return `(select string_agg(coalesce(item, ''), ', ') from jsonb_array_elements_text(${value}) as item)`;
}

/** Rows in the order of the form, which jsonb does not keep, then those that it no longer has. */
export function rowsText(value: string, rows: string[]): string {
  const order = `array_position(${textArray(rows)}, answer.key)`;
  return `(select string_agg(answer.key || ': ' || coalesce(answer.value, ''), ' | ' order by ${order})
    from jsonb_each_text(${value}) as answer)`;
}
