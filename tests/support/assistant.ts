import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

/** A client of `/mcp`, by the SDK of the protocol. */
export interface Assistant {
  readonly client: Client;
  /** The result of a tool; an error that it reports is `{ error }`. */
  // Tests state what they expect of a result.
  call(name: string, input?: object): Promise<any>; // oxlint-disable-line typescript/no-explicit-any
}

/** Connects with a token. */
export async function openAssistant(url: string, token: string): Promise<Assistant> {
  const client = new Client({ name: 'test', version: '1' });
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', url), { requestInit }));
  return {
    client,
    call: async (name, input = {}) => {
      const { content } = await client.callTool({ name, arguments: { ...input } });
      const [{ text }] = content as [{ readonly text: string }];
      // Input that does not have the form of the tool is refused in plain text.
      return text.startsWith('{') || text.startsWith('[')
        ? (JSON.parse(text) as unknown)
        : { error: { message: text } };
    },
  };
}
