/** Where a command writes: answers to `out`, complaints and hints to `err`. */
export interface CommandIo {
  out(line: string): void;
  err(line: string): void;
}

/** One command of `formstead`. @returns the exit code */
export type Command = (args: string[], io: CommandIo) => Promise<number>;

/** A command as its file exports it. */
export interface CommandModule {
  /** How it is written, behind `formstead`. */
  USAGE: string;
  /** What it does, for the help. */
  SUMMARY: string;
  run: Command;
}

/** A wrong use of a command; the message says what to write. */
export class UsageError extends Error {}

/** Something the operator can mend; the message is one line that says what to do. */
export class CommandError extends Error {}
