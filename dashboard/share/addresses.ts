import type { Form } from '../api/queries.ts';

type Shared = Pick<Form, 'share_url' | 'slug'>;

/** The public address of the service, without a slash at its end. */
export function baseOf({ share_url: link, slug }: Shared): string {
  return link.slice(0, link.length - `/forms/${slug}`.length);
}
