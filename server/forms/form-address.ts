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

/** The same name, where it leads here, with the scheme and the port of the public address. */
function visitorsBase(
  { baseUrl, config }: Pick<Context, 'baseUrl' | 'config'>,
  domain: string | null,
): string {
  if (domain === null || !config.formDomains.has(domain)) return baseUrl();
  const { protocol, port } = new URL(baseUrl());
  return `${protocol}//${domain}${port && `:${port}`}`;
}
