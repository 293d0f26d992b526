import { isJsonObject } from '../../fields/property.ts';

/** Members of a form that a new one must not take over. */
const LEFT_BEHIND = new Set(['slug', 'workspace_id', 'password', 'visibility', 'custom_domain', 'closes_at']);

/** A form from JSON, ready to be sent. The source is a form in the API's response or request format, or only its blocks. */
type ReadForm = { form: { title: string; [key: string]: unknown } } | { problem: string };

export function readFormJson(text: string): ReadForm {
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch (error) {
    return { problem: `This is not JSON: ${error instanceof Error ? error.message : 'it cannot be read'}` };
  }
  const found = Array.isArray(content) ? { properties: content } : formIn(content);
  if (found === null) return { problem: 'There is no form in it: it has no “properties”.' };
  const kept = Object.entries(found).filter(([key]) => !LEFT_BEHIND.has(key));
  const title = typeof found.title === 'string' && found.title.trim() !== '' ? found.title : 'Imported form';
  return { form: { ...Object.fromEntries(kept), title } };
}

/** `{properties}`, or the same one level deeper, as in some responses of the API. */
function formIn(content: unknown): { [key: string]: unknown } | null {
  if (!isJsonObject(content)) return null;
  if (Array.isArray(content.properties)) return content;
  const inner = content.form ?? content.definition ?? content.data;
  return isJsonObject(inner) && Array.isArray(inner.properties) ? inner : null;
}
