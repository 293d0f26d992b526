import { readFileSync } from 'node:fs';

/** A package of the lockfile. */
export interface LockedPackage {
  /** Where it lies, such as `node_modules/pg`. */
  path: string;
  version: string;
  /** Its licence as SPDX names it; null when none is given. */
  licence: string | null;
  integrity: string | null;
  /** Where it would be fetched from, were that fixed; null when any registry will do. */
  address: string | null;
  hasInstallScript: boolean;
  /** Needed to work on Formstead, not to run it. */
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
  /** How packages named their licences long ago. */
  licenses?: { type: string }[];
}

/** SPDX names of licences under which a package may be part of Formstead. */
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
/** Under these a package may be used to work on it, because nothing of it is handed on. */
const ALLOWED_FOR_DEVELOPMENT = new Set([...ALLOWED, 'MPL-2.0', 'Unlicense']);

/** Packages that name their licence elsewhere than in package.json, where it was read. */
const READ_ELSEWHERE = new Map([['node_modules/humanize-number', 'MIT']]);

const ROOT = new URL('../', import.meta.url);

/** Every package the lockfile installs somewhere, those of other platforms too. */
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

/** Whether a licence suits; of `A OR B` one has to, of `A AND B` both. Exceptions (`WITH`) are judged by people. */
export function isAllowed({
  licence,
  isForDevelopment,
}: Pick<LockedPackage, 'licence' | 'isForDevelopment'>): boolean {
  const allowed = isForDevelopment ? ALLOWED_FOR_DEVELOPMENT : ALLOWED;
  const plain = (licence ?? '').replace(/^\(|\)$/g, '');
  if (plain.includes(' OR ')) return plain.split(' OR ').some((name) => allowed.has(name));
  return plain.split(' AND ').every((name) => allowed.has(name));
}

/** As the installed package itself says, where it is installed here: the lockfile only repeats it. */
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
