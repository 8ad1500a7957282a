import { StreamableHTTPClientTransport, StreamableHTTPError } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { StartError } from 'content-service/plugin';

export interface AssistantOptions {
  readonly url: string;
  readonly token: string;
}

/** How it listens again after the service was away: however long that is, an assistant stays connected. */
const reconnectionOptions = {
  initialReconnectionDelay: 1000,
  reconnectionDelayGrowFactor: 1.5,
  maxReconnectionDelay: 30_000,
  maxRetries: Number.POSITIVE_INFINITY,
};

/**
 * Connects an assistant on standard input and output with `/mcp` of a service, until the assistant leaves: `npx
 * content-service mcp`.
 * @throws StartError
 */
export async function connectAssistant({ url, token }: AssistantOptions): Promise<number> {
  if (!URL.canParse(url)) throw new StartError(`"${url}" is not a URL`);
  const assistant = new StdioServerTransport();
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  const service = new StreamableHTTPClientTransport(new URL('/mcp', url), { requestInit, reconnectionOptions });
  const report = (error: Error): void => console.error(explain(error, url));
  const forward = (message: JSONRPCMessage): void => {
    // The transport reports the error.
    service.send(message).catch((error: Error) => {
      // An assistant waits for the response to each request.
      if (!('id' in message && 'method' in message)) return;
      const failure = { code: INTERNAL_ERROR, message: explain(error, url) };
      assistant.send({ jsonrpc: '2.0', id: message.id, error: failure }).catch(report);
    });
  };
  const answer = (message: JSONRPCMessage): void => {
    // In the response to `initialize`.
    const { protocolVersion } = 'result' in message ? message.result : {};
    if (typeof protocolVersion === 'string') service.setProtocolVersion(protocolVersion);
    assistant.send(message).catch(report);
  };
  Object.assign(assistant, { onmessage: forward, onerror: report });
  Object.assign(service, { onmessage: answer, onerror: report });
  await service.start();
  await assistant.start();
  await new Promise((resolve) => process.stdin.once('close', resolve));
  await service.close();
  return 0;
}

const NO_PLUGIN = 'The service has no /mcp. Turn on the plugin mcp in config/plugins.json, or correct --url.';

/** What to do after the status of a refusal. */
const advice: ReadonlyMap<number | undefined, string> = new Map([
  [
    401,
    'The service does not accept the token, which is wrong, expired or revoked. Create one, see "npx content-service access token create --help", and pass it as --token.',
  ],
  [404, NO_PLUGIN],
  [405, NO_PLUGIN],
]);

/** Says what happened, and what to do. */
function explain(error: Error, url: string): string {
  // How fetch fails without a response.
  if (error instanceof TypeError) return `No service responds at ${url}. Start it, or correct --url.`;
  return (error instanceof StreamableHTTPError && advice.get(error.code)) || error.message;
}

const INTERNAL_ERROR = -32_603;
