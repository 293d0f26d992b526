import { isAllowed, lockedPackages } from './installed-packages.ts';

// Prints every package with its licence, and fails if any licence is not allowed.

const packages = lockedPackages();
for (const { path, version, licence, isForDevelopment } of packages) {
  const name = path.replace(/^.*node_modules\//, '');
  const use = isForDevelopment ? 'development' : 'service';
  process.stdout.write(`${[name, version, licence ?? 'none', use].join('\t')}\n`);
}
const refused = packages.filter((found) => !isAllowed(found));
for (const { path, licence } of refused)
  process.stderr.write(`${path}: the licence ${licence ?? '(none given)'} is not among the allowed ones.\n`);
process.exitCode = refused.length === 0 ? 0 : 1;
