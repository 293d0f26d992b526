import { fork } from 'node:child_process';
import { join } from 'node:path';
import { CommandError } from '../cli/command.ts';
import type { LoadTasks, Reply } from './load-process.ts';

export interface LoadClient {
  run<Task extends keyof LoadTasks>(
    task: Task,
    input: Parameters<LoadTasks[Task]>[0],
  ): ReturnType<LoadTasks[Task]>;
  stop(): void;
}

/** Starts the load process. Failures of its tasks are thrown here as a CommandError. */
export function startLoad(): LoadClient {
  // In its own process group, or Ctrl-C in the terminal would end it before the benchmark is over.
  const child = fork(join(import.meta.dirname, 'load-process.ts'), {
    env: {},
    detached: true,
    stdio: 'inherit',
  });
  const waiting = new Map<number, { resolve(result: unknown): void; reject(error: Error): void }>();
  let asked = 0;

  child.on('message', ({ id, result, error }: Reply) => {
    const task = waiting.get(id);
    waiting.delete(id);
    if (error === undefined) task?.resolve(result);
    else task?.reject(new CommandError(error));
  });
  child.on('exit', () => {
    for (const { reject } of waiting.values()) reject(new CommandError('The load process ended.'));
  });

  return {
    run(task, input) {
      const id = asked++;
      const result = new Promise((resolve, reject) => waiting.set(id, { resolve, reject }));
      child.send({ id, task, input }, (error) => error && waiting.get(id)?.reject(error));
      return result as ReturnType<LoadTasks[typeof task]>;
    },
    stop: () => void child.kill('SIGKILL'),
  };
}
