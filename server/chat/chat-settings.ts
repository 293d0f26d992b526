import type { JsonObject } from '../../fields/property.ts';

/** The chats that a webhook may write to; `data.format` names one. */
export const CHAT_FORMATS = ['slack', 'discord', 'teams', 'google_chat', 'mattermost', 'telegram'] as const;
export type ChatFormat = (typeof CHAT_FORMATS)[number];

/** The only kind of integration that writes to chats: platforms have connectors of their own for them. */
export const CHAT_KIND = 'webhook';

/** What a webhook that writes to a chat is set to. */
export interface ChatSettings {
  format: ChatFormat;
  /** One line with mentions. That there is a new response when there is none. */
  message?: string;
  /** Whether answers are shown; they are when it is missing. */
  include_answers?: boolean;
}

/** The settings in `data` of an integration that was checked when it was saved; null for one that sends our own JSON. */
export function chatSettings(kind: string, data: unknown): ChatSettings | null {
  const settings = (data ?? {}) as JsonObject & Partial<ChatSettings>;
  return kind === CHAT_KIND && settings.format !== undefined ? (settings as ChatSettings) : null;
}
