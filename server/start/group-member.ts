import { readConfig } from '../config.ts';
import type { Connection } from '../db/database.ts';
import { tidyHeap } from '../heap.ts';
import { createLog } from '../log.ts';
import type { Order, Report } from './process-group.ts';
import { logRejections, startService } from './service.ts';

/**
 * One process of a group: serves from the order to serve until the order to stop, or until the process that started it is
 * gone.
 */
let stop: () => void = () => process.exit();
let isStopping = false;

// Ctrl-C in a terminal reaches every process; the first one orders the others to stop.
process.on('SIGINT', () => {});
process.on('SIGTERM', () => stop());
process.on('disconnect', () => {
  // The first process waits for the others, unless it was killed or out of time.
  if (isStopping) process.exit();
  stop();
});
process.on('message', (order: Order) => {
  if (order.kind === 'stop') stop();
  else void serve(order.connection).then(report, reportFailure);
});

async function serve(connection: Connection): Promise<Report> {
  const config = readConfig();
  const log = createLog(config);
  logRejections(log);
  const service = await startService(config, connection, log, { drains: true });
  tidyHeap();
  stop = () => {
    stop = () => {};
    isStopping = true;
    service
      .stop()
      .catch((err) => log.error({ err }, 'stopping failed'))
      .finally(() => process.exit());
  };
  return { kind: 'ready', url: service.url };
}

function report(message: Report): void {
  process.send?.(message);
}

function reportFailure(error: Error): void {
  // An error's own members are not sent along by themselves.
  const problem = { ...error, message: error.message, stack: error.stack };
  process.send?.({ kind: 'failed', problem } satisfies Report, () => process.exit(1));
}
