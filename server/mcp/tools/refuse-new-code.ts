import { addsCodeBlock, codeBlocks } from '../../forms/checks/custom-code.ts';
import { forbidden } from '../../http/errors.ts';

/**
 * Only people write code that runs in visitors' browsers, whatever the token may do: an answer that an assistant has read
 * may have talked it into something.
 * @param known reads definitions that may contain the code already; called only when there is code
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
