import type { Context } from '../../context.ts';

/** The parts of a form that its public address is made of. */
export interface AddressedForm {
  slug: string;
  /** Only used if the operator has listed it in FORM_DOMAINS. */
  customDomain: string | null;
}

/** The public address of a form. */
export function formAddress(context: Pick<Context, 'baseUrl' | 'config'>, form: AddressedForm): string {
  return `${visitorsBase(context, form.customDomain)}/forms/${form.slug}`;
}

/** The base address with another host name, but the same scheme and port. */
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
