import type { Context } from '../context.ts';

/** What says where visitors find a form. */
export interface AddressedForm {
  slug: string;
  /** A name of its own; without effect unless the operator leads it here. */
  customDomain: string | null;
}

/** Where visitors find a form. */
export function formAddress(context: Pick<Context, 'baseUrl' | 'config'>, form: AddressedForm): string {
  return `${visitorsBase(context, form.customDomain)}/forms/${form.slug}`;
}

/** The public address with another name: scheme and port stay. */
export function baseUnder(baseUrl: string | URL, name: string): string {
  const { protocol, port } = new URL(baseUrl);
  return `${protocol}//${name}${port && `:${port}`}`;
}

function visitorsBase(
  { baseUrl, config }: Pick<Context, 'baseUrl' | 'config'>,
  domain: string | null,
): string {
  if (domain === null || !config.formDomains.has(domain)) return baseUrl();
  return baseUnder(baseUrl(), domain);
}
