import type { JsonObject } from '../../fields/property.ts';

/** Chats that a webhook can write to, as named by `data.format`. */
export const CHAT_FORMATS = ['slack', 'discord', 'teams', 'google_chat', 'mattermost', 'telegram'] as const;
export type ChatFormat = (typeof CHAT_FORMATS)[number];

/** The only kind of integration that writes to chats: automation platforms have their own chat connectors. */
export const CHAT_KIND = 'webhook';

/** Settings of a webhook that writes to a chat. */
export interface ChatSettings {
  format: ChatFormat;
  /** One line with mentions. When absent, a line about the new response. */
  message?: string;
  /** Whether answers are shown; true when absent. */
  include_answers?: boolean;
}

/** The settings in `data` of an integration, checked when it was saved; null for one that sends the service's own JSON. */
export function chatSettings(kind: string, data: unknown): ChatSettings | null {
  const settings = (data ?? {}) as JsonObject & Partial<ChatSettings>;
  return kind === CHAT_KIND && settings.format !== undefined ? (settings as ChatSettings) : null;
}
