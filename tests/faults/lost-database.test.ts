import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { startEngine, type EngineProcess } from './engine-process.js';
import { startUnreliableProxy, type UnreliableProxy } from './unreliable-proxy.js';
import { makeProject, startService, type Project, type ServiceProcess } from './service-process.js';

let project: Project;
let engine: EngineProcess;
let proxy: UnreliableProxy;
let service: ServiceProcess | undefined;
const dataPath = (): string => path.join(project.folder, 'engine');

beforeAll(async () => {
  project = makeProject();
  mkdirSync(dataPath());
  engine = await startEngine(dataPath());
  proxy = await startUnreliableProxy(engine.port);
});
afterEach(async () => {
  await service?.stop();
  service = undefined;
});
afterAll(async () => {
  await proxy.close();
  await engine.kill();
  project.remove();
});

const metrics = async (): Promise<string> => (await fetch(`${service?.url}/metrics`)).text();
const logged = async (text: RegExp): Promise<void> => {
  while (!text.test(service?.log() ?? '')) await wait(20);
};

test.each([
  ['one process', {}],
  ['two workers', { CLUSTER: '2' }],
])('the log of %s has one line when the database is killed and one when it recovers', async (_, settings) => {
  const uri = `mongodb://127.0.0.1:${proxy.port}/?heartbeatFrequencyMS=500`;
  service = await startService(project, { DATABASE: 'auto', MONGODB_URI: uri, ...settings });
  if ('CLUSTER' in settings) await logged(/2 workers serve/);
  expect(await metrics()).toMatch(/^mongodb_up 1$/m);
  await engine.kill();
  await logged(/The database is unavailable/);
  // Each process finds it out for itself; of several the one that is worst off counts.
  while (!/^mongodb_up 0$/m.test(await metrics())) await wait(20);
  engine = await startEngine(dataPath());
  proxy.setTarget(engine.port);
  await logged(/The database is available again/);
  while (!/^mongodb_up 1$/m.test(await metrics())) await wait(20);
  await service.stop();
  const log = service.log().split('\n');
  service = undefined;
  const lines = log.filter((line) => /The database is/.test(line));
  expect(lines.map((line) => /is (?:un)?available/.exec(line)?.[0])).toEqual(['is unavailable', 'is available']);
  // What runs in the background adds nothing.
  expect(log.filter((line) => /"level":50|"stack"/.test(line))).toEqual([]);
});
