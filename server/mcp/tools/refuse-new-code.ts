import { addsCodeBlock, codeBlocks } from '../../forms/custom-code.ts';
import { forbidden } from '../../http/errors.ts';

/**
 * Code that runs in visitors' browsers is for people to write, whatever the token may do: an assistant may have been talked
 * into it by an answer it has read.
 * @param known what may hold it already; asked for only when there is code
 * @throws HttpError 403
 */
export async function refuseNewCode(
  properties: unknown,
  known: () => Promise<readonly { properties: unknown }[]>,
): Promise<void> {
  if (codeBlocks(properties).length === 0) return;
  if (addsCodeBlock(properties, await known()))
    throw forbidden('Assistants cannot add code to a form. It can be added in the dashboard.');
}
