/** Output of a command: results to `out`, complaints and hints to `err`. */
export interface CommandIo {
  out(line: string): void;
  err(line: string): void;
}

/** One command of `formstead`. @returns the exit code */
export type Command = (args: string[], io: CommandIo) => Promise<number>;

/** The exports of a command's file. */
export interface CommandModule {
  run: Command;
}

/** Wrong use of a command; the message says what to write. */
export class UsageError extends Error {}

/** A problem that the operator can fix; the message is one line that says what to do. */
export class CommandError extends Error {}
