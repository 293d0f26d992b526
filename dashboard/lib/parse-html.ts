const OPENING_TAG = /<[a-z][^<>]*>/gi;
const STYLE = /\sstyle\s*=\s*(?:"[^"]*"|'[^']*')/gi;

/**
 * HTML that others wrote, parsed apart from the page: nothing in it runs or is loaded. Without styles: the policy of the
 * page complains of them as soon as they are parsed.
 */
export function parseHtml(html: string): Document {
  const plain = html.replace(OPENING_TAG, (tag) => tag.replace(STYLE, ''));
  return new DOMParser().parseFromString(plain, 'text/html');
}
