/** An unusable value in the environment; the message is one line that says what to write. */
export class ConfigError extends Error {}

/** The value of a variable without spaces around it; null when it is not set or empty. */
export function text(env: NodeJS.ProcessEnv, name: string): string | null {
  return env[name]?.trim() || null;
}

/** @throws ConfigError for anything but a whole number within the limits */
export function integer(
  env: NodeJS.ProcessEnv,
  name: string,
  { fallback, min, max }: { fallback: number; min: number; max: number },
): number {
  const value = text(env, name);
  if (value === null) return fallback;
  const number = Number(value);
  if (/^\d+$/.test(value) && number >= min && number <= max) return number;
  throw new ConfigError(`${name} must be a whole number from ${min} to ${max}, not "${value}".`);
}

/** @throws ConfigError for any other word */
export function oneOf<T extends string>(
  env: NodeJS.ProcessEnv,
  name: string,
  allowed: readonly T[],
  fallback: T,
): T {
  const value = text(env, name) ?? fallback;
  const found = allowed.find((word) => word === value);
  if (found) return found;
  throw new ConfigError(`${name} must be one of ${allowed.join(', ')}, not "${value}".`);
}

/** A URL may carry a password, so the message never repeats it. */
export function url(
  env: NodeJS.ProcessEnv,
  name: string,
  protocols: string[],
  example: string,
): string | null {
  const value = text(env, name);
  if (value === null) return null;
  if (!isUrlOf(protocols, value)) throw new ConfigError(`${name} must be an address like ${example}.`);
  if (hasReadableUser(value)) return value;
  throw new ConfigError(`${name} has a % in its user or password that stands for nothing: write %25 for it.`);
}

/** Requires `//` and a host: the parser accepts some schemes without either. */
function isUrlOf(protocols: string[], text: string): boolean {
  if (!URL.canParse(text) || !/^[a-z]+:\/\/[^/\\]/i.test(text)) return false;
  const { protocol, hostname } = new URL(text);
  return protocols.includes(protocol) && hostname !== '';
}

/** Where one % stands for nothing, the others would not be decoded either. */
function hasReadableUser(text: string): boolean {
  const { username, password } = new URL(text);
  try {
    decodeURIComponent(`${username}:${password}`);
    return true;
  } catch {
    return false;
  }
}
