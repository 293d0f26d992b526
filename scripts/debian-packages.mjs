// System programs that some tests need. They are installed where that is possible without asking, otherwise named in one line.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';

/** For each program, the first available package is taken. */
const PACKAGES = [
  {
    programs: { 'postgresql-15': '/usr/lib/postgresql/15/bin/postgres' },
    missing:
      'PostgreSQL 15 not found: the tests run on the embedded PostgreSQL only; install postgresql-15 to run them on both.',
  },
  {
    // This build has no windows and needs half the processor time.
    programs: {
      'chromium-headless-shell': '/usr/bin/chromium-headless-shell',
      chromium: '/usr/bin/chromium',
    },
    missing: 'Chromium not found: the tests of pages fail without it; install chromium-headless-shell.',
  },
];

/** Read by Debian's PostgreSQL packages; without it they would create and start a cluster of their own. */
const CLUSTER_SETTINGS = '/etc/postgresql-common/createcluster.d/formstead.conf';

export function installDebianPackages() {
  const wanted = PACKAGES.map(({ programs }) => Object.entries(programs)).filter(
    ([[, first]]) => !existsSync(first),
  );
  if (wanted.length > 0 && process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    console.log(`Installing ${wanted.map(([[name]]) => name).join(' ')} for the tests …`);
    withoutOwnCluster(() => {
      aptGet('update');
      for (const candidates of wanted) installOneOf(candidates);
    });
  }
  for (const { programs, missing } of PACKAGES)
    if (!Object.values(programs).some((program) => existsSync(program))) console.log(missing);
}

function installOneOf(candidates) {
  for (const [name, program] of candidates) {
    if (!existsSync(program)) aptGet('install', '-y', '--no-install-recommends', name);
    if (existsSync(program)) return;
  }
}

function aptGet(...args) {
  spawnSync('/usr/bin/apt-get', args, {
    stdio: 'ignore',
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  });
}

function withoutOwnCluster(install) {
  if (existsSync(CLUSTER_SETTINGS)) return install();
  mkdirSync('/etc/postgresql-common/createcluster.d', { recursive: true });
  writeFileSync(CLUSTER_SETTINGS, 'create_main_cluster = false\n');
  try {
    install();
  } finally {
    rmSync(CLUSTER_SETTINGS, { force: true });
  }
}
