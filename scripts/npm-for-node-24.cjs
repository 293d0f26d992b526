// Loaded into npm by prepare.mjs. npm leaves out optional packages that require a newer Node than the machine's own, on which it
// runs. But everything installed here runs on the Node that is among it.
const { basename } = require('node:path');
const { dependencies } = require('../package.json');

const isNpm = ['npm', 'npm-cli.js'].includes(basename(process.argv[1] ?? ''));
const major = (version) => Number(version.split('.')[0]);
const isOlder = major(process.versions.node) < major(dependencies.node);
if (isNpm && isOlder) Object.defineProperty(process, 'version', { value: `v${dependencies.node}` });
