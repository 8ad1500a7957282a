import { parentPort, workerData } from 'node:worker_threads';
import { openComparison, type ComparisonOptions, type ShadowReport } from './compare-exchanges.js';
import type { Exchange } from './proxy.js';

/** What the thread is told about a request, or is asked; the reply to a question has its number. */
export type Message =
  | { readonly kind: 'begin'; readonly number: number; readonly method: string; readonly path: string }
  | { readonly kind: 'end'; readonly number: number; readonly exchange: Exchange | undefined }
  | { readonly kind: 'report'; readonly number: number }
  /** Asks for the report once nothing is left to compare. */
  | { readonly kind: 'settled'; readonly number: number };

export type Reply = { readonly releasedBytes: number } | { readonly number: number; readonly report: ShadowReport };

const reply = (message: Reply): void => parentPort?.postMessage(message, []);
const comparison = openComparison(workerData as ComparisonOptions, (releasedBytes) => reply({ releasedBytes }));
/** The functions that take the exchanges of requests under way. */
const ends = new Map<number, (exchange: Exchange | undefined) => void>();

async function take(message: Message): Promise<void> {
  const { kind, number } = message;
  if (kind === 'begin') ends.set(number, comparison.begin(message.method, message.path));
  else if (kind === 'end') {
    ends.get(number)?.(message.exchange);
    ends.delete(number);
  } else {
    if (kind === 'settled') await comparison.settled();
    reply({ number, report: comparison.report() });
  }
}

parentPort?.on('message', (messages: readonly Message[]) => {
  for (const message of messages) void take(message);
});
