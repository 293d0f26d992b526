import { chatSettings } from '../chat/chat-settings.ts';
import { compileChat } from '../chat/compile-chat.ts';
import type { LinkSource } from '../files/file-links.ts';
import { compilePayload, type DeliveredForm, type WritePayload } from './payload.ts';

/** Returns a function that writes the bodies of an integration's requests: JSON payloads, or messages for a chat. */
export function compileWebPayload(
  form: DeliveredForm,
  { integration_id: kind, data }: { integration_id: string; data: unknown },
  links: LinkSource,
): WritePayload {
  const chat = chatSettings(kind, data);
  return chat ? compileChat(form, chat, links) : compilePayload(form, kind, links);
}
