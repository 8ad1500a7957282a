import { connect } from 'node:net';
import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { makeProject, startService, type Project } from './service-process.js';

let project: Project;
beforeAll(() => {
  project = makeProject();
});
afterAll(() => project.remove());

test('SIGTERM: no longer ready at once, the request under way is answered, the process ends with 0', async () => {
  const service = await startService(project, { DRAIN_DELAY: '1500' });
  const { hostname, port } = new URL(service.url);
  const body = JSON.stringify({ data: { label: 'last' } });
  const socket = connect(Number(port), hostname);
  let answer = '';
  socket.on('data', (data) => (answer += String(data)));
  const head = [
    'POST /api/nodes HTTP/1.1',
    'Host: a',
    `Authorization: Bearer ${project.token}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n${body.slice(0, 5)}`);
  expect((await fetch(`${service.url}/_ready`)).status).toBe(204);

  // Fails unless the process ends with 0.
  const stopped = service.stop();
  let ready = await fetch(`${service.url}/_ready`);
  while (ready.status === 204) ready = await fetch(`${service.url}/_ready`);
  expect({ status: ready.status, connection: ready.headers.get('connection') }).toEqual({
    status: 503,
    connection: 'close',
  });
  socket.write(body.slice(5));
  await Promise.all([stopped, once(socket, 'close')]);
  expect(answer).toMatch(/^HTTP\/1\.1 200 /);
  expect(answer).toContain('"label":"last"');
});
