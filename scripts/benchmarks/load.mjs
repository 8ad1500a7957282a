/**
 * Sends requests over kept-alive connections, in a process of its own, so that its CPU time is not counted as a
 * system's. Takes jobs `{ url, headers, requests, connections, amount }`, or `seconds` instead of `amount`, one after
 * the other, and answers each with `{ requests, seconds, p50, p99, bytes, failures }`: times of answers in
 * milliseconds, their mean size with headers. Each connection sends all requests; with `divided` its part of them.
 */
import autocannon from 'autocannon';
import { freshNumber } from './workloads.mjs';

const patience = 30;
/** Milliseconds after which autocannon notices that it is done. */
const sampleInt = 100;
let used = 0;

process.on('message', (job) => void run(job).then((result) => process.send(result)));
process.on('disconnect', () => process.exit());

async function run({ url, headers, requests, connections, amount, seconds, divided = false }) {
  const prepared = requests.map((request) => prepare(request, headers));
  const times = [];
  let failures = 0;
  let bytes = 0;
  let clients = 0;
  let begin;
  let end;
  const running = autocannon({
    url,
    connections,
    // Every client prepares these before it gets its own.
    requests: divided ? prepared.slice(0, 1) : prepared,
    // Each connection begins elsewhere in the list, so that they do not all ask for the same.
    setupClient: (client) => {
      const first = Math.floor((clients++ * prepared.length) / connections) % prepared.length;
      const last = divided ? first + Math.ceil(prepared.length / connections) : prepared.length;
      client.setRequests([...prepared.slice(first, last), ...prepared.slice(0, divided ? 0 : first)]);
    },
    ...(amount === undefined ? { duration: seconds } : { amount: Math.max(amount, connections) }),
    timeout: patience,
    sampleInt,
  });
  running.on('response', (_, status, size, time) => {
    end = performance.now();
    // All are prepared before the first one is sent.
    begin ??= end - time;
    times.push(time);
    bytes += size;
    if (status >= 300 && status !== 304) failures += 1;
  });
  const { errors } = await running;
  times.sort((a, b) => a - b);
  const percentile = (share) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
  return {
    requests: times.length,
    seconds: (end - begin) / 1000,
    p50: percentile(0.5),
    p99: percentile(0.99),
    bytes: bytes / times.length,
    failures: failures + errors,
  };
}

function prepare({ path, body, method = 'POST' }, headers) {
  if (body === undefined) return { method: 'GET', path, headers };
  const request = { method, path, headers: { ...headers, 'content-type': 'application/json' }, body };
  if (!body.includes(freshNumber)) return request;
  return { ...request, setupRequest: () => ({ ...request, body: body.replaceAll(freshNumber, `n${++used}`) }) };
}
