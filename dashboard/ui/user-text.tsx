import { classes } from '../lib/classes.ts';

/** What a person wrote, in one line: in its own direction at the side where our texts begin, whole when pointed at. */
export function UserText({ text, className }: { text: string; className?: string }) {
  return (
    <span className={classes('block min-w-0 truncate', className)} title={text}>
      <bdi>{text}</bdi>
    </span>
  );
}
