import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { reasonOf } from '../../../errors/reason-of.js';
import { StartError } from '../../../errors/start-error.js';
import { createOutput, type Output } from '../../io/terminal.js';
import { describeCauses } from '../compare/causes.js';
import { addressOf } from '../compare/compare.js';
import type { ShadowReport } from './compare-exchanges.js';
import { createMemory } from './memory.js';
import { createProxy, type Side } from './proxy.js';
import { describeCounts, reportPage } from './report-page.js';
import { startComparison } from './start-comparison.js';

export interface ShadowOptions {
  readonly reference: string;
  readonly ours: string;
  readonly port: string;
  readonly reportPort: string;
  readonly writes: string;
  readonly answerFrom: string;
  /** The beginnings of paths that the side which `answerFrom` does not name answers, separated by commas. */
  readonly except?: string;
  /** Megabytes. */
  readonly memory: string;
  readonly json: boolean;
}

const choices = { writes: ['mirror', 'skip'], answerFrom: ['reference', 'service'] } as const;

/**
 * Passes requests of clients on to Strapi, sends each to this service as well, and compares the answers, until it is
 * stopped: `npx content-service shadow`. Returns the exit code: 0 no difference was found, 1 some were.
 * @throws StartError if it cannot run
 */
export async function shadow(options: ShadowOptions, stopping: AbortSignal, output?: Output): Promise<0 | 1> {
  const { print, result } = output ?? createOutput(options.json);
  const running = await startShadow(options);
  print(`Clients get responses at ${running.url}, the report is at ${running.reportUrl}`);
  if (!stopping.aborted) await once(stopping, 'abort');
  const report = await running.close();
  for (const line of [...describeCauses(report.causes), ...describeCounts(report)]) print(line);
  result(report);
  return report.different === 0 ? 0 : 1;
}

/** @throws StartError if an option is wrong or a port is in use */
export async function startShadow(options: ShadowOptions) {
  for (const [name, allowed] of Object.entries(choices)) {
    const value = options[name as keyof typeof choices];
    if (!(allowed as readonly string[]).includes(value))
      throw new StartError(`"${value}" is not allowed; allowed: ${allowed.join(', ')}`);
  }
  const urls = { reference: addressOf(options.reference), ours: addressOf(options.ours) };
  const [usual, other]: readonly [Side, Side] =
    options.answerFrom === 'reference' ? ['reference', 'ours'] : ['ours', 'reference'];
  const exceptions = options.except?.split(',') ?? [];
  const sideOf = (path: string): Side => (exceptions.some((begin) => path.startsWith(begin)) ? other : usual);
  const memory = createMemory(numberOf(options.memory, 'memory') * 1_000_000);
  const comparison = startComparison({ urls, mirrorsWrites: options.writes === 'mirror' }, memory);
  const { onRequest, report, settled } = comparison;
  const servers = [
    createProxy({ urls, sideOf, memory, onRequest }),
    http.createServer((request, response) => void sendReport(request, response, report())),
  ] as const;
  const [url, reportUrl] = await Promise.all([
    listen(servers[0], numberOf(options.port, 'port')),
    listen(servers[1], numberOf(options.reportPort, 'report-port'), '127.0.0.1'),
  ]);
  return {
    url,
    reportUrl,
    report,
    settled,
    close: async (): Promise<ShadowReport> => {
      const closed = servers.map((server) => once(server.close(), 'close'));
      for (const server of servers) server.closeIdleConnections();
      await closed[0];
      servers[1].closeAllConnections();
      const [last] = await Promise.all([settled(), ...closed]);
      await comparison.stop();
      return last;
    },
  };
}

export type RunningShadow = Awaited<ReturnType<typeof startShadow>>;

async function sendReport(
  { url }: http.IncomingMessage,
  response: http.ServerResponse,
  asked: Promise<ShadowReport>,
): Promise<void> {
  const report = await asked.catch(reasonOf);
  if (typeof report === 'string') response.writeHead(500, { 'content-type': 'text/plain' }).end(`${report}\n`);
  else if (url === '/report.json') response.setHeader('content-type', 'application/json').end(JSON.stringify(report));
  else response.setHeader('content-type', 'text/html; charset=utf-8').end(reportPage(report));
}

async function listen(server: http.Server, port: number, host?: string): Promise<string> {
  try {
    await once(server.listen(port, host), 'listening');
  } catch (error) {
    throw new StartError(`Port ${port} cannot be used: ${(error as Error).message}`);
  }
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function numberOf(text: string, name: string): number {
  const number = Number(text);
  if (!Number.isSafeInteger(number) || number < 0) throw new StartError(`--${name} is "${text}"; allowed: a number`);
  return number;
}
