import type { Errors } from '../api/client.ts';

/** What the service says of each member it refused, by the path to it. */
export function RefusedMembers({ errors }: { errors: Errors }) {
  return (
    <ul className="grid max-h-40 gap-1 overflow-y-auto">
      {Object.entries(errors).map(([key, messages]) => (
        <li key={key} className="wrap-anywhere">
          <code>{key}</code>: {messages.join(' ')}
        </li>
      ))}
    </ul>
  );
}
