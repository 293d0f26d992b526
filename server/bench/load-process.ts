import { insertLoad } from './insert-load.ts';
import { pageLoad } from './page-load.ts';
import { copyOut } from './queries.ts';
import { startReceiver } from './receiver.ts';
import { type PacedLoad, pacedLoad, submitLoad } from './submit-load.ts';

/** The tasks of the load process, which is separate so that it shares no thread with the service. */
export type LoadTasks = typeof tasks;

/** The messages between the two processes. */
type Question = { id: number; task: keyof LoadTasks; input: unknown };
export type Reply = { id: number; result?: unknown; error?: string };

const receiver = await startReceiver();

const tasks = {
  receiverUrl: async (_input: null) => receiver.url,
  submit: submitLoad,
  pace: (load: PacedLoad) => pacedLoad(load, receiver),
  pages: pageLoad,
  insert: insertLoad,
  copyOut: ({ connection, formId }: { connection: Parameters<typeof copyOut>[0]; formId: number }) =>
    copyOut(connection, formId),
  forgetArrivals: async (_input: null) => receiver.forget(),
  arrivals: ({ count, limitMs }: { count: number; limitMs: number }) => receiver.arrivals(count, limitMs),
};

process.on('message', ({ id, task, input }: Question) => {
  const perform = tasks[task] as (input: unknown) => Promise<unknown>;
  perform(input).then(
    (result) => process.send?.({ id, result } satisfies Reply),
    (error: Error) => process.send?.({ id, error: error.message } satisfies Reply),
  );
});
// Ends together with the benchmark.
process.on('disconnect', () => process.exit());
