import type { Config } from '../config.ts';
import { openDatabase } from '../db/database.ts';
import { accountsCheck } from '../doctor/accounts.ts';
import {
  connectionCheck,
  databaseChecks,
  isDatabaseStillToBeMade,
  keyCheck,
  schemaCheck,
  sessionsCheck,
  unreachableMend,
} from '../doctor/database.ts';
import { createExplain } from '../doctor/explain.ts';
import { type Check, CheckTimeout, type Finding, fail, runCheck, warn } from '../doctor/finding.ts';
import { mailChecks } from '../doctor/mail.ts';
import { outboundChecks } from '../doctor/outbound.ts';
import { publicAddressChecks } from '../doctor/public-address.ts';
import { examineSettings, settingsChecks } from '../doctor/settings.ts';
import { singleSignOnChecks } from '../doctor/single-sign-on.ts';
import { storageChecks } from '../doctor/storage.ts';
import { workChecks } from '../doctor/work.ts';
import type { CommandIo } from './command.ts';
import { provideForCommand, reachDatabase } from './open-database.ts';
import { readOptions } from './options.ts';
import { USAGES } from './usages.ts';

const USAGE = USAGES.doctor.usage;
const OPTIONS = { json: { type: 'boolean' } } as const;
/** Time to wait for a database that is starting or stopping. */
const BUSY_LIMIT_MS = 5_000;
/** Time for a check without an answer to end what it has open. */
const LINGER_MS = 500;
const INDENT = ' '.repeat(6);

/** Runs checks one after the other and reports each. @returns whether none failed */
type RunChecks = (checks: Check[]) => Promise<boolean>;

/** Examines an installation with the environment of the service, and says what to fix. Changes nothing. */
export async function run(args: string[], io: CommandIo): Promise<number> {
  const { values } = readOptions(args, OPTIONS, USAGE);
  const findings: Finding[] = [];
  await examine((finding) => {
    findings.push(finding);
    if (!values.json) for (const line of linesOf(finding)) io.out(line);
  });
  if (values.json) io.out(JSON.stringify(findings, null, 2));
  return findings.some(({ status }) => status === 'fail') ? 1 : 0;
}

function linesOf({ status, check, found, mend }: Finding): string[] {
  return [`${status.padEnd(4)}  ${check}: ${found}`, ...(mend === null ? [] : [INDENT + mend])];
}

async function examine(report: (finding: Finding) => void): Promise<void> {
  const { config, finding } = examineSettings();
  report(finding);
  if (config === null) return;
  const explain = createExplain(config);
  let timedOut = false;
  const runChecks: RunChecks = async (checks) => {
    let isSound = true;
    for (const check of checks) {
      const finding = await runCheck(check, (error) => {
        timedOut ||= error instanceof CheckTimeout;
        return explain(error);
      });
      isSound &&= finding.status !== 'fail';
      report(finding);
    }
    return isSound;
  };
  await runChecks([...settingsChecks(config), ...publicAddressChecks(config)]);
  try {
    await examineDatabase(config, runChecks, report);
  } catch (error) {
    report({ check: 'database', ...fail(explain(error), unreachableMend(config)) });
  }
  await runChecks([
    ...storageChecks(config),
    ...mailChecks(config),
    ...singleSignOnChecks(config),
    ...outboundChecks(config),
  ]);
  // Unreferenced: it fires only when something else keeps the process from ending.
  if (timedOut) setTimeout(() => process.exit(), LINGER_MS).unref();
}

/** Starts the embedded database when no service runs, but neither creates nor migrates it. */
async function examineDatabase(
  config: Config,
  runChecks: RunChecks,
  report: (finding: Finding) => void,
): Promise<void> {
  if (await isDatabaseStillToBeMade(config)) {
    const mend = 'The first start makes it. If it should be there, set DATA_DIR as the service does.';
    return report({ check: 'database', ...warn(`there is none in ${config.dataDir} yet`, mend) });
  }
  const { connection, release } = await reachDatabase(config, provideForCommand, BUSY_LIMIT_MS);
  const { db, pool, close } = openDatabase(connection, () => {}, 2);
  try {
    if (!(await runChecks([connectionCheck(config, db)]))) return;
    await runChecks([...databaseChecks(db), sessionsCheck(pool)]);
    if (!(await runChecks([schemaCheck(pool)]))) return;
    await runChecks([
      keyCheck(config, db),
      accountsCheck(db),
      ...workChecks(db, { canMail: config.smtpUrl !== null, isNightly: config.backup !== null }),
    ]);
  } finally {
    await close().finally(release);
  }
}
