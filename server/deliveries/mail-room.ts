import type { AttemptResult } from './attempt.ts';
import { createMailWindow, type MailWindow } from './mail-window.ts';

/** The id of the workspace whose mail server it is, or the installation's. */
export type MailServerKey = number | 'installation';

/** Limits how many mails are on their way through one mail server, so that one that hangs holds up no mails of others. */
interface MailRoom {
  isFull(server: MailServerKey): boolean;
  /** @param send never rejects */
  use(server: MailServerKey, send: () => Promise<AttemptResult>): Promise<AttemptResult>;
}

export function createMailRoom(): MailRoom {
  const windows = new Map<MailServerKey, MailWindow>();

  function windowOf(server: MailServerKey): MailWindow {
    const window = windows.get(server) ?? createMailWindow();
    windows.set(server, window);
    return window;
  }

  return {
    isFull: (server) => windowOf(server).isFull(),
    async use(server, send) {
      const window = windowOf(server);
      window.begin();
      const result = await send();
      window.end(result);
      return result;
    },
  };
}
