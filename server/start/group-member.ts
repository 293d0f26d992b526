import { readConfig } from '../config.ts';
import type { Connection } from '../db/database.ts';
import { tidyHeap } from '../heap.ts';
import { createLog } from '../log.ts';
import type { Order, Report } from './process-group.ts';
import { logRejections, startService } from './service.ts';

/** One process of a group: serves when it is told to, until it is told to stop or whoever started it is gone. */
let stop: () => void = () => process.exit();
let isStopping = false;

// Ctrl-C in a terminal reaches every process; the first one tells the others when to stop.
process.on('SIGINT', () => {});
process.on('SIGTERM', () => stop());
process.on('disconnect', () => {
  // The first one waits for the others, unless it was killed or had no more time.
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
  const service = await startService(config, connection, log, true);
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
  // Members of an error that are its own do not travel by themselves.
  const problem = { ...error, message: error.message, stack: error.stack };
  process.send?.({ kind: 'failed', problem } satisfies Report, () => process.exit(1));
}
