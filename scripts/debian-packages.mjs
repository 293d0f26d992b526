// Programs of the system that some tests use. Installed where that is possible without asking, else named in one line.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';

const PACKAGES = [
  {
    name: 'postgresql-15',
    program: '/usr/lib/postgresql/15/bin/postgres',
    missing:
      'PostgreSQL 15 not found: the tests run on the embedded PostgreSQL only; install postgresql-15 to run them on both.',
  },
  {
    name: 'chromium',
    program: '/usr/bin/chromium',
    missing: 'Chromium not found: the tests of pages fail without it; install chromium.',
  },
];

/** Read by Debian's PostgreSQL packages: without it they create a cluster of their own and start it. */
const CLUSTER_SETTINGS = '/etc/postgresql-common/createcluster.d/formstead.conf';

export function installDebianPackages() {
  const missing = PACKAGES.filter(({ program }) => !existsSync(program));
  if (missing.length === 0) return;
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    console.log(`Installing ${missing.map(({ name }) => name).join(' ')} for the tests …`);
    withoutOwnCluster(() => {
      aptGet('update');
      aptGet('install', '-y', '--no-install-recommends', ...missing.map(({ name }) => name));
    });
  }
  for (const { program, missing: line } of missing) if (!existsSync(program)) console.log(line);
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
