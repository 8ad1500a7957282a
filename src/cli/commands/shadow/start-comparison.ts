import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { packageFolder } from '../../../config/package-folder.js';
import { reasonOf } from '../../../errors/reason-of.js';
import { StartError } from '../../../errors/start-error.js';
import type { ComparisonOptions, ShadowReport } from './compare-exchanges.js';
import type { Message, Reply } from './compare-worker.js';
import type { Memory } from './memory.js';
import type { ProxyOptions } from './proxy.js';

const program = path.join(packageFolder, 'bin', 'compare-worker.mjs');

/**
 * Milliseconds after which the thread gets the messages since. To wake it up takes as long as to pass on a small
 * answer.
 */
const DELAY_MS = 20;

/** The comparison, on a thread of its own: what it reads and computes does not delay the answers to clients. */
export function startComparison(options: ComparisonOptions, memory: Memory) {
  const worker = new Worker(program, { workerData: options });
  const questions = new Map<number, Question>();
  let [last, failure]: [number, StartError | undefined] = [0, undefined];
  let [messages, moved]: [Message[], ArrayBuffer[]] = [[], []];
  const flush = (): void => {
    worker.postMessage(messages, moved);
    [messages, moved] = [[], []];
  };
  const tell = (message: Message, buffers: readonly ArrayBuffer[] = []): void => {
    if (messages.length === 0) setTimeout(flush, DELAY_MS);
    messages.push(message);
    moved.push(...buffers);
  };
  const ask = (kind: 'report' | 'settled'): Promise<ShadowReport> => {
    if (failure !== undefined) return Promise.reject(failure);
    const number = (last += 1);
    return new Promise<ShadowReport>((resolve, reject) => {
      questions.set(number, { resolve, reject });
      tell({ kind, number });
    });
  };
  worker.on('message', (reply: Reply) => {
    if ('releasedBytes' in reply) return memory.release(reply.releasedBytes);
    questions.get(reply.number)?.resolve(reply.report);
    questions.delete(reply.number);
  });
  // The clients still get their answers.
  worker.once('error', (error) => {
    failure = new StartError(`The comparison has ended: ${reasonOf(error)}`);
    console.error(failure.message);
    for (const { reject } of questions.values()) reject(failure);
  });
  const onRequest: ProxyOptions['onRequest'] = (method, requested) => {
    const number = (last += 1);
    tell({ kind: 'begin', number, method, path: requested });
    return (exchange) => {
      const kept = [exchange?.body, exchange?.answer].flatMap((bytes) => (bytes === undefined ? [] : [bytes.buffer]));
      tell({ kind: 'end', number, exchange }, kept);
    };
  };
  return {
    onRequest,
    report: () => ask('report'),
    settled: () => ask('settled'),
    stop: () => worker.terminate(),
  };
}

interface Question {
  readonly resolve: (report: ShadowReport) => void;
  readonly reject: (reason: StartError) => void;
}
