const OPENING_TAG = /<[a-z][^<>]*>/gi;
const STYLE = /\sstyle\s*=\s*(?:"[^"]*"|'[^']*')/gi;

/**
 * Foreign HTML, parsed in a separate document, where nothing runs or loads. Styles are removed first, because the page's policy
 * reports them as soon as they are parsed.
 */
export function parseHtml(html: string): Document {
  const plain = html.replace(OPENING_TAG, (tag) => tag.replace(STYLE, ''));
  return new DOMParser().parseFromString(plain, 'text/html');
}
