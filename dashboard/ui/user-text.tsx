import { classes } from '../lib/classes.ts';

/** A user's text in one line: in its own direction but aligned like ours, and shown in full on hover. */
export function UserText({ text, className }: { text: string; className?: string }) {
  return (
    <span className={classes('block min-w-0 truncate', className)} title={text}>
      <bdi>{text}</bdi>
    </span>
  );
}
