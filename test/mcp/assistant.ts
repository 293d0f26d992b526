import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { TestService } from '../setup/service.ts';

export interface ToolAnswer {
  isError: boolean;
  texts: string[];
  /** What is JSON of them. */
  value: any;
}

export interface Assistant {
  client: Client;
  use(tool: string, input?: Record<string, unknown>): Promise<ToolAnswer>;
  /** The names of the tools it is shown. */
  tools(): Promise<string[]>;
}

/** A client of the official library, with this token. @param mode how it finds out which version both know */
export async function anAssistant(
  service: TestService,
  token: string,
  mode: 'auto' | 'legacy' = 'auto',
): Promise<Assistant> {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
  const transport = new StreamableHTTPClientTransport(new URL(`${service.url}/mcp`), {
    requestInit: { headers: { authorization: `Bearer ${token}` } },
  });
  await client.connect(transport);
  return {
    client,
    async use(name, input = {}) {
      const { content, isError = false } = await client.callTool({ name, arguments: input });
      const texts = (content as { text: string }[]).map(({ text }) => text);
      return { isError, texts, value: parsed(texts.find((text) => /^[{[]/.test(text))) };
    },
    async tools() {
      const { tools } = await client.listTools();
      return tools.map(({ name }) => name);
    },
  };
}

/** Undefined where it was cut off. */
function parsed(json = ''): any {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
