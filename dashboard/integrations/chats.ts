import type { Integration } from './queries.ts';

export type ChatId = 'slack' | 'discord' | 'teams' | 'google_chat' | 'mattermost' | 'telegram';

interface Chat {
  /** The webhook's `format` for this chat. */
  id: ChatId;
  name: string;
  /** Where to find its address. */
  where: string;
  placeholder: string;
}

/** Chats that a webhook can write to. */
export const CHATS: readonly Chat[] = [
  {
    id: 'slack',
    name: 'Slack',
    where: 'In your Slack app: “Incoming Webhooks”, then “Add New Webhook to Workspace”.',
    placeholder: 'https://hooks.slack.com/services/…',
  },
  {
    id: 'discord',
    name: 'Discord',
    where: 'In the settings of the channel: “Integrations”, then “Webhooks”.',
    placeholder: 'https://discord.com/api/webhooks/…',
  },
  {
    id: 'teams',
    name: 'Microsoft Teams',
    where: 'In the menu of the channel: “Workflows”, then “Send webhook alerts to a channel”.',
    placeholder: 'https://….logic.azure.com/workflows/…',
  },
  {
    id: 'google_chat',
    name: 'Google Chat',
    where: 'In the menu of the space: “Apps & integrations”, then “Webhooks”.',
    placeholder: 'https://chat.googleapis.com/v1/spaces/…',
  },
  {
    id: 'mattermost',
    name: 'Mattermost, Rocket.Chat',
    where: 'Under “Integrations”: a new incoming webhook.',
    placeholder: 'https://chat.example.com/hooks/…',
  },
  {
    id: 'telegram',
    name: 'Telegram',
    where:
      'With the token that @BotFather gave your bot, and after “chat_id=” the number or @name of the chat it is in.',
    placeholder: 'https://api.telegram.org/bot…/sendMessage?chat_id=…',
  },
];

/** Addresses that clearly belong to one chat. Slack's workflow webhooks are left out, because they accept no messages. */
const ADDRESSES: readonly [ChatId, RegExp][] = [
  ['slack', /^https:\/\/hooks\.slack(?:-gov)?\.com\/services\//i],
  ['discord', /^https:\/\/(?:\w+\.)?discord(?:app)?\.com\/api\/webhooks\/(?!.*\/(?:slack|github)$)/i],
  ['google_chat', /^https:\/\/chat\.googleapis\.com\/v1\/spaces\//i],
  [
    'teams',
    /^https:\/\/[\w.-]+\.(?:webhook\.office\.com|logic\.azure\.com|(?:powerplatform|powerautomate)\.com)[/:]/i,
  ],
  ['telegram', /^https:\/\/api\.telegram\.org\/bot[^/]+\/sendMessage\b/i],
];

export function chatById(id: unknown): Chat | null {
  return CHATS.find((chat) => chat.id === id) ?? null;
}

/** The chat that a webhook writes to; null if it sends our own JSON, or for anything else. */
export function chatOf({
  integration_id: id,
  data,
}: Pick<Integration, 'integration_id' | 'data'>): Chat | null {
  return id === 'webhook' ? chatById(data.format) : null;
}

/** The chat that an address belongs to, if recognisable. */
export function chatAt(url: string): Chat | null {
  const [id] = ADDRESSES.find(([, address]) => address.test(url.trim())) ?? [];
  return chatById(id);
}
