// Runs first in npm start and npm test: installs what is missing, if anything. It runs before any installation, on the machine's
// own Node (18 or newer), so it is plain JavaScript without dependencies.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, lstatSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installDebianPackages } from './debian-packages.mjs';

const ROOT = resolve(fileURLToPath(import.meta.url), '../..');
const MODULES = join(ROOT, 'node_modules');
const STAMP = join(MODULES, '.formstead-prepared.json');
const NODE = join(MODULES, '.bin', 'node');
const NODE_MAJOR = 'v24.';
const NPM_FOR_NODE_24 = join(ROOT, 'scripts', 'npm-for-node-24.cjs');

/** npm settings from the environment that would change what is installed, or where. */
const STRAY_SETTINGS = [
  'also',
  'before',
  'cpu',
  'dev',
  'dry_run',
  'global',
  'global_style',
  'include',
  'install_links',
  'install_strategy',
  'json',
  'legacy_bundling',
  'legacy_peer_deps',
  'libc',
  'location',
  'omit',
  'only',
  'optional',
  'os',
  'package',
  'package_lock',
  'package_lock_only',
  'prefix',
  'production',
  'silent',
  'workspace',
  'workspaces',
];

try {
  prepare();
  if (process.argv.includes('--test')) installDebianPackages();
} catch (error) {
  console.error(error.message);
  process.exit(1);
}

function prepare() {
  const wanted = fingerprint();
  if (!existsSync(NODE) || !(readStamp() === wanted || isInstalled())) install();
  if (!hasRightNode()) installNode();
  buildPages();
  finish(wanted);
}

/** Everything that the installed packages must match. */
function fingerprint() {
  const hash = createHash('sha256');
  hash.update(`${process.platform} ${process.arch}\n`);
  hash.update(readFileSync(join(ROOT, 'package-lock.json')));
  hash.update(JSON.stringify(dependencyParts(readJson(join(ROOT, 'package.json')))));
  return hash.digest('hex');
}

function dependencyParts(manifest) {
  return ['dependencies', 'devDependencies', 'optionalDependencies'].map((part) =>
    Object.entries(manifest[part] ?? {}).sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}

function readStamp() {
  try {
    return readJson(STAMP).fingerprint;
  } catch {
    return null;
  }
}

/** Whether the exact packages of package-lock.json were installed by hand; npm keeps a record of what it installed. */
function isInstalled() {
  try {
    const lock = readJson(join(ROOT, 'package-lock.json')).packages;
    const installed = readJson(join(MODULES, '.package-lock.json')).packages;
    const manifest = readJson(join(ROOT, 'package.json'));
    if (JSON.stringify(dependencyParts(lock[''])) !== JSON.stringify(dependencyParts(manifest))) return false;
    return Object.entries(lock).every(([path, wanted]) => {
      if (path === '') return true;
      const found = installed[path];
      if (!found) return isForElsewhere(wanted);
      return found.version === wanted.version && found.integrity === wanted.integrity;
    });
  } catch {
    return false;
  }
}

/** npm leaves out optional packages that do not run on this platform. */
function isForElsewhere({ optional, peer, devOptional, os, cpu, libc }) {
  if (!optional && !devOptional && !peer) return false;
  // On Linux everything here needs glibc.
  const isForGlibc = libc?.includes('glibc') ?? true;
  const isForHere = os?.includes(process.platform) && (cpu?.includes(process.arch) ?? true) && isForGlibc;
  return !isForHere;
}

/** Builds the scripts and styles of the pages; see scripts/build.ts. */
function buildPages() {
  const { failed, output } = run(NODE, [join(ROOT, 'scripts/build.ts')], ROOT);
  if (failed) throw new Error(`${output}\nThe pages could not be built (see above).`);
}

function install() {
  console.log('Installing dependencies (first start, about a minute) …');
  // Always with development dependencies, whatever NODE_ENV says, so that npm start and npm test share one installation. The only
  // install script that is needed runs npm too, so it waits for the end of this one: on 1 GB of memory there is no room for both.
  const result = runNpm([
    'ci',
    '--ignore-scripts',
    '--include=dev',
    '--include=optional',
    '--no-audit',
    '--no-fund',
  ]);
  if (result.failed)
    throw new Error(`${result.output}\nThe dependencies could not be installed (see above).`);
}

function hasRightNode() {
  const result = spawnSync(NODE, ['--version'], { encoding: 'utf8' });
  return result.status === 0 && result.stdout.startsWith(NODE_MAJOR);
}

/** The npm package "node" downloads the program in its install script. */
function installNode() {
  const directory = join(MODULES, 'node');
  const result = run(process.execPath, ['installArchSpecificPackage.js'], directory);
  // npm only links commands that exist at the time of installation.
  if (existsSync(join(directory, 'bin', 'node'))) {
    rmSync(NODE, { force: true });
    symlinkSync('../node/bin/node', NODE);
  }
  if (hasRightNode()) return;
  throw new Error(
    `${result.output}\nNode 24 could not be installed by the npm package "node" for ${process.platform} ${process.arch}. ` +
      'Run "npm rebuild node --ignore-scripts=false", and see that the npm registry can be reached.',
  );
}

/** Makes "npx formstead" find the command of this checkout, and records that the installation is complete. */
function finish(wanted) {
  const command = join(MODULES, '.bin', 'formstead');
  try {
    if (!lstatSync(command, { throwIfNoEntry: false })) symlinkSync('../../bin/formstead.mjs', command);
    if (readStamp() !== wanted) writeFileSync(STAMP, `${JSON.stringify({ fingerprint: wanted })}\n`);
  } catch (error) {
    // The folder belongs to another user or the disk is read-only: everything works, but the record is not written.
    if (!['EACCES', 'EPERM', 'EROFS', 'EEXIST'].includes(error.code)) throw error;
  }
}

function runNpm(args) {
  const environment = cleanEnvironment();
  const options = environment.NODE_OPTIONS ?? '';
  environment.NODE_OPTIONS = `${options} --require ${JSON.stringify(NPM_FOR_NODE_24)}`.trim();
  return run('npm', args, ROOT, environment);
}

function run(program, args, cwd, env = cleanEnvironment()) {
  const result = spawnSync(program, args, {
    cwd,
    env,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  if (result.error?.code === 'ENOENT')
    throw new Error(`${program} was not found: install Node.js 18 or newer, with npm.`);
  const killed =
    result.signal === 'SIGKILL'
      ? `${program} was killed: is there 1 GB of memory for the installation?\n`
      : '';
  return {
    failed: result.status !== 0,
    output: `${result.stdout ?? ''}${result.stderr ?? ''}${killed}`.trim(),
  };
}

function cleanEnvironment() {
  const stray = new Set(STRAY_SETTINGS.map((name) => `npm_config_${name}`));
  const environment = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !stray.has(name.toLowerCase().replaceAll('-', '_'))),
  );
  delete environment.NODE_ENV;
  // npm must not run on the Node in the folder that it is about to replace.
  environment.PATH = (environment.PATH ?? '')
    .split(delimiter)
    .filter((directory) => !resolve(directory).startsWith(MODULES))
    .join(delimiter);
  return environment;
}

function readJson(file) {
  return JSON.parse(readFileSync(file, 'utf8'));
}
