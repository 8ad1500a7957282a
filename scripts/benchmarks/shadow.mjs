/**
 * What `content-service shadow` adds to the time of an answer: `node scripts/benchmarks/shadow.mjs [requests] [per
 * second]`. A program that answers at once stands in for Strapi, another after 5 ms for the service. Requests go
 * directly, through a proxy that does nothing else, and through the shadow in turns, so that all meet the same load of
 * the machine.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import http from 'node:http';
import { fileURLToPath } from 'node:url';

const [requests, perSecond] = process.argv.slice(2).map(Number);
const text = 'The light on the north pier turns every nine seconds, and the ferries know it.';
const body = JSON.stringify({ data: Array.from({ length: 80 }, (_, id) => ({ id, attributes: { text } })) });

const [, , mode, option] = process.argv;
if (mode === 'serve') serve(Number(option));
else if (mode === 'pass') passOn(new URL(option));
else await compare(requests || 12_000, perSecond || 300);

function serve(delayMs) {
  const answer = (response) => response.writeHead(200, { 'content-type': 'application/json' }).end(body);
  const server = http.createServer((_, response) =>
    delayMs === 0 ? answer(response) : setTimeout(answer, delayMs, response),
  );
  listen(server);
}

/** The least that a proxy in Node does. */
function passOn({ hostname, port }) {
  const agent = new http.Agent({ keepAlive: true });
  const server = http.createServer(({ method, url: path, headers }, response) =>
    http
      .request({ hostname, port, method, path, headers, agent }, (answer) => {
        response.writeHead(answer.statusCode, answer.headers);
        answer.pipe(response);
      })
      .end(),
  );
  listen(server);
}

function listen(server) {
  server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`));
}

/** Starts a program, and returns the first address that it prints. */
async function start(args) {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  process.once('exit', () => child.kill());
  const [line] = await once(child.stdout, 'data');
  return /http:\/\/127\.0\.0\.1:\d+/.exec(String(line))[0];
}

async function compare(count, rate) {
  const [self, program] = [
    import.meta.filename,
    fileURLToPath(new URL('../../bin/content-service.mjs', import.meta.url)),
  ];
  const [reference, ours] = [await start([self, 'serve', '0']), await start([self, 'serve', '5'])];
  const addresses = ['--reference', reference, '--ours', ours];
  const shadow = await start([program, 'shadow', ...addresses, '--port', '0', '--report-port', '0']);
  const ways = { direct: reference, 'bare proxy': await start([self, 'pass', reference]), shadow };
  const agent = new http.Agent({ keepAlive: true, maxSockets: 16 });
  const times = Object.fromEntries(Object.keys(ways).map((way) => [way, []]));
  const measure = ([way, url]) =>
    new Promise((resolve, reject) => {
      const begin = performance.now();
      const finish = () => resolve(times[way].push(performance.now() - begin));
      http.get(url, { agent }, (response) => response.resume().once('end', finish)).once('error', reject);
    });
  const sent = [];
  for (const begin = performance.now(); sent.length < count; await new Promise((resolve) => setTimeout(resolve, 1)))
    while (sent.length < count && performance.now() - begin >= (sent.length / rate) * 1000)
      sent.push(measure(Object.entries(ways)[sent.length % 3]));
  await Promise.all(sent);
  for (const [way, list] of Object.entries(times)) {
    // The first third warms the programs up.
    const sorted = list.slice(list.length / 3).toSorted((a, b) => a - b);
    const at = (share) => sorted[Math.floor(sorted.length * share)].toFixed(2);
    console.log(`${way}: median ${at(0.5)} ms, 90 % ${at(0.9)} ms, 99 % ${at(0.99)} ms`);
  }
  process.exit();
}
