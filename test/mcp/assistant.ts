import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { TestService } from '../setup/service.ts';

interface ToolAnswer {
  isError: boolean;
  texts: string[];
  /** The first of the texts that is JSON, parsed. */
  value: any;
}

export interface Assistant {
  client: Client;
  use(tool: string, input?: Record<string, unknown>): Promise<ToolAnswer>;
  tools(): Promise<string[]>;
}

/** A client of the official library with this token. @param mode how it negotiates the version */
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

/** Undefined where the JSON was cut off. */
function parsed(json = ''): any {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
