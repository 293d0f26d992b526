import { readFile, stat } from 'node:fs/promises';
import { type Config, readConfig } from '../config.ts';
import { nullWhenMissing } from '../file-system.ts';
import { isKey, keyFileIn, readKeyFile, UnusableKeyError } from '../secret-box.ts';
import { ConfigError } from '../settings/values.ts';
import { hostOf, isPublic, isThisMachine, isWildcard, publicUrl, shown } from './addresses.ts';
import { type Check, type Finding, fail, ok, type Verdict, warn } from './finding.ts';

/** Bits of a file mode that grant access to others than its owner. */
const OTHERS = 0o077;

/** The settings, or null when one of them is bad; the finding says which. */
export function examineSettings(): { config: Config | null; finding: Finding } {
  try {
    const config = readConfig();
    return { config, finding: { check: 'settings', ...ok('every variable can be read') } };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const mend = 'Correct this variable; nothing else was examined.';
    return { config: null, finding: { check: 'settings', ...fail(error.message, mend) } };
  }
}

export function settingsChecks(config: Config): Check[] {
  return [
    { name: 'BASE_URL', mend: 'Set BASE_URL to the public address.', examine: () => baseUrl(config) },
    {
      name: 'REGISTRATION',
      mend: 'Set REGISTRATION to first, open or closed.',
      examine: () => registration(config),
    },
    {
      name: 'secret key',
      mend: 'Give the key file to the user of the service, or set SECRET_KEY.',
      examine: () => secretKey(config),
    },
  ];
}

function baseUrl(config: Config): Verdict {
  const url = publicUrl(config);
  const example = 'Set BASE_URL to the public address, such as https://forms.example.org.';
  if (config.baseUrl === null && isWildcard(config.host))
    return fail(`not set, and links to ${shown(url)} lead nowhere`, example);
  if (config.baseUrl === null && !isThisMachine(config.host))
    return warn(`not set, so links lead to ${shown(url)}`, example);
  if (url.protocol === 'http:' && isPublic(hostOf(url))) {
    const mend = 'Put a proxy with TLS in front and set BASE_URL to its https: address.';
    return warn(`${shown(url)} is not https: passwords and answers travel in the clear`, mend);
  }
  return ok(config.baseUrl === null ? 'not set: this machine only' : shown(url));
}

function registration(config: Config): Verdict {
  if (config.registration !== 'open' || !isPublic(hostOf(publicUrl(config)))) return ok(config.registration);
  const mend = 'Set REGISTRATION=first (by invitation) or closed, unless strangers are welcome.';
  return warn('open: anybody can make an account on this public address', mend);
}

async function secretKey(config: Config): Promise<Verdict> {
  if (config.secretKey !== null) return ok('from SECRET_KEY');
  const path = keyFileIn(config.dataDir);
  const text = await readFile(path, 'utf8').catch(nullWhenMissing);
  if (text === null) {
    const mend =
      'The first start makes it. If this installation has served before, restore it from the backup.';
    return warn(`neither SECRET_KEY nor ${path} is there`, mend);
  }
  if (!isKey(text.trim()))
    return fail(`${path} does not hold 64 hexadecimal digits`, 'Restore it from the backup.');
  const { mode } = await stat(path);
  if ((mode & OTHERS) !== 0)
    return fail(`${path} is open to other users (mode ${(mode & 0o777).toString(8)})`, `chmod 600 ${path}`);
  if (config.databaseUrl === null) return ok(path);
  const mend = 'Set SECRET_KEY to the content of this file, the same for every process on this database.';
  return warn(`${path}, which processes on other machines do not share`, mend);
}

/** The present key; null without one, and when its file is damaged, which is a separate finding. */
export async function keyHere({ secretKey, dataDir }: Config): Promise<string | null> {
  return secretKey ?? readKeyFile(keyFileIn(dataDir)).catch(nullWhenDamaged);
}

function nullWhenDamaged(error: unknown): null {
  if (error instanceof UnusableKeyError) return null;
  throw error;
}
