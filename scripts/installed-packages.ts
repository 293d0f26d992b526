import { readFileSync } from 'node:fs';

/** A package of the lockfile. */
interface LockedPackage {
  /** Its folder, such as `node_modules/pg`. */
  path: string;
  version: string;
  /** SPDX expression of its licence; null if it names none. */
  licence: string | null;
  integrity: string | null;
  /** Address it would be fetched from, if that is fixed; null if any registry will do. */
  address: string | null;
  hasInstallScript: boolean;
  /** Needed to develop Formstead, but not to run it. */
  isForDevelopment: boolean;
}

interface LockEntry {
  version?: string;
  license?: string;
  integrity?: string;
  resolved?: string;
  hasInstallScript?: boolean;
  dev?: boolean;
  devOptional?: boolean;
}

interface Manifest {
  license?: unknown;
  /** An old way to name licences. */
  licenses?: { type: string }[];
}

/** SPDX names of licences allowed for packages that are part of Formstead. */
const ALLOWED = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'Python-2.0',
]);
/** Licences allowed for development packages too, because these are not distributed. */
const ALLOWED_FOR_DEVELOPMENT = new Set([...ALLOWED, 'MPL-2.0', 'Unlicense']);

/** Packages whose package.json names no licence, with the licence found elsewhere in the package. */
const READ_ELSEWHERE = new Map([['node_modules/humanize-number', 'MIT']]);

const ROOT = new URL('../', import.meta.url);

/** Every package in the lockfile, including those for other platforms. */
export function lockedPackages(): LockedPackage[] {
  const { packages } = readJson('package-lock.json') as { packages: Record<string, LockEntry> };
  return Object.entries(packages)
    .filter(([path]) => path !== '')
    .map(([path, entry]) => ({
      path,
      version: entry.version ?? '',
      licence: ownLicence(path) ?? entry.license ?? READ_ELSEWHERE.get(path) ?? null,
      integrity: entry.integrity ?? null,
      address: entry.resolved ?? null,
      hasInstallScript: entry.hasInstallScript ?? false,
      isForDevelopment: entry.dev ?? false,
    }));
}

/** Whether a licence is allowed: for `A OR B` one must be, for `A AND B` both. Exceptions (`WITH`) are left to people. */
export function isAllowed({
  licence,
  isForDevelopment,
}: Pick<LockedPackage, 'licence' | 'isForDevelopment'>): boolean {
  const allowed = isForDevelopment ? ALLOWED_FOR_DEVELOPMENT : ALLOWED;
  const plain = (licence ?? '').replace(/^\(|\)$/g, '');
  if (plain.includes(' OR ')) return plain.split(' OR ').some((name) => allowed.has(name));
  return plain.split(' AND ').every((name) => allowed.has(name));
}

/** Read from the package itself if it is installed here, because the lockfile only repeats it. */
function ownLicence(path: string): string | null {
  try {
    const { license, licenses } = readJson(`${path}/package.json`) as Manifest;
    if (typeof license === 'string') return license;
    return licenses?.map(({ type }) => type).join(' AND ') ?? null;
  } catch {
    return null;
  }
}

export function readJson(path: string): unknown {
  return JSON.parse(readFileSync(new URL(path, ROOT), 'utf8'));
}
