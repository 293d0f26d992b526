/** Host names at which forms can be opened, besides the public address. */
export interface FormDomains {
  /** @param name in lower case, without a port */
  has(name: string): boolean;
  /** The list in lower case. */
  names: readonly string[];
}

/** A form's domain: lower case, without a port. */
export const DOMAIN = '^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])$';
/** Stands for one label, as in the names of certificates (RFC 6125, 6.4.3). */
const ANY_LABEL = '*.';

/**
 * Reads a list such as `answers.example.net, *.forms.example.org`.
 * @param ownHost host of the public address, which no form can have; null when it is not known
 * @throws Error that says which name cannot be used
 */
export function parseFormDomains(list: string, ownHost: string | null): FormDomains {
  const names = list
    .split(/[\s,]+/)
    .filter((name) => name !== '')
    .map((name) => name.toLowerCase());
  for (const name of names) {
    const isName = new RegExp(DOMAIN).test(name.startsWith(ANY_LABEL) ? name.slice(ANY_LABEL.length) : name);
    if (!isName) throw new Error(`"${name}" is no name of a host, such as answers.example.org.`);
    if (name === ownHost) throw new Error(`"${name}" is the public address, where the dashboard is.`);
  }
  const known = new Set(names);
  return {
    names,
    has: (name) =>
      name !== ownHost && (known.has(name) || known.has(`${ANY_LABEL}${name.slice(name.indexOf('.') + 1)}`)),
  };
}
