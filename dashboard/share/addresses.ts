import type { Form } from '../api/queries.ts';

type Shared = Pick<Form, 'share_url' | 'slug'>;

/** The service's public address, without a trailing slash. */
export function baseOf({ share_url: link, slug }: Shared): string {
  return link.slice(0, link.length - `/forms/${slug}`.length);
}
