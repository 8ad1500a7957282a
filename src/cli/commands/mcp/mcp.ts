import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';

export interface McpOptions {
  /** The address of the service. */
  readonly url: string;
  readonly token: string;
}

/** Connects an assistant on standard input and output with `/mcp` of a service, until the assistant leaves: `npx content-service mcp`. */
export async function connectAssistant({ url, token }: McpOptions): Promise<number> {
  const assistant = new StdioServerTransport();
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  const service = new StreamableHTTPClientTransport(new URL('/mcp', url), { requestInit });
  const report = (error: unknown): void => console.error(error instanceof Error ? error.message : error);
  const forward = (message: JSONRPCMessage): void => {
    service.send(message).catch((error: unknown) => {
      report(error);
      // An assistant waits for the response to each request.
      if ('id' in message && 'method' in message) assistant.send(failureOf(message.id, error)).catch(report);
    });
  };
  const answer = (message: JSONRPCMessage): void => {
    const version = versionIn(message);
    if (version !== undefined) service.setProtocolVersion(version);
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

const INTERNAL_ERROR = -32_603;

const failureOf = (id: string | number, error: unknown): JSONRPCMessage => ({
  jsonrpc: '2.0',
  id,
  error: { code: INTERNAL_ERROR, message: error instanceof Error ? error.message : String(error) },
});

/** The version of the protocol in the response to `initialize`. */
function versionIn(message: JSONRPCMessage): string | undefined {
  const { protocolVersion } = 'result' in message ? message.result : {};
  return typeof protocolVersion === 'string' ? protocolVersion : undefined;
}
