import { once } from 'node:events';
import { Agent, request, type IncomingMessage } from 'node:http';

/** The results of keep-alive clients until the service has stopped. */
export interface Met {
  /** Requests that were answered. */
  answered: number;
  /** Answers by a status other than 200. */
  readonly refused: number[];
  /** Codes of requests that failed although a connection to the service was there. */
  readonly errors: string[];
}

/**
 * Reads and writes over connections that are kept, one for each client, each client as fast as it is answered, until
 * nobody accepts a connection.
 */
export async function askUntilGone(url: string, token: string, clients: number, met: Met): Promise<void> {
  const client = async (writes: boolean): Promise<void> => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (;;) {
      try {
        const status = await ask(url, token, writes, agent);
        met.answered += 1;
        if (status !== 200) met.refused.push(status);
      } catch (error) {
        const { code = String(error) } = error as NodeJS.ErrnoException;
        agent.destroy();
        if (code !== 'ECONNREFUSED') met.errors.push(code);
        return;
      }
    }
  };
  await Promise.all(Array.from({ length: clients * 2 }, (_, index) => client(index % 2 === 0)));
}

async function ask(url: string, token: string, writes: boolean, agent: Agent): Promise<number> {
  const outgoing = request(`${url}/api/nodes`, {
    agent,
    method: writes ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${token}`, ...(writes && { 'content-type': 'application/json' }) },
  });
  outgoing.end(writes ? JSON.stringify({ data: { label: 'kept' } }) : undefined);
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
  for await (const _ of response);
  return response.statusCode ?? 0;
}
