import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openReceiver, type Receiver } from '../../support/webhook-receiver.js';
import { apiFiles, openProjectFolder, type RunningProject } from './project-folder.js';

/** Every way of code to have an event: it reaches webhooks as one of a write does, and code that listens, once each. */

const uid = 'api::note.note';
const entry = { id: 7, text: 'of code' };

/** What each way runs, the name of its event, and what a webhook gets of it. */
const ways: Readonly<Record<string, readonly [code: string, event: string, body: object]>> = {
  'eventHub.emit': [
    `strapi.eventHub.emit('entry.update', { model: 'note', uid: '${uid}', entry: ${JSON.stringify(entry)} });`,
    'entry.update',
    { model: 'note', uid, entry },
  ],
  'eventHub.emit of a file': [
    `await strapi.eventHub.emit('media.delete', { media: { id: 1, name: 'a.png' } });`,
    'media.delete',
    { media: { id: 1, name: 'a.png' } },
  ],
  'eventHub.emit of an event that code allows': [
    `strapi.eventHub.emit('note.sent', { to: 'ann' });`,
    'note.sent',
    { to: 'ann' },
  ],
  'eventHub.emit without more': [`strapi.eventHub.emit('note.sent');`, 'note.sent', {}],
  'entityService.emitEvent': [
    `await strapi.entityService.emitEvent('${uid}', 'entry.delete', { id: 7, text: 'x', secret: 's' });`,
    'entry.delete',
    { model: 'note', uid, entry: { id: 7, text: 'x' } },
  ],
  'emitEvent of the service upload': [
    `await strapi.plugin('upload').service('upload').emitEvent('media.create', { id: 2, name: 'b.png' });`,
    'media.create',
    { media: { id: 2, name: 'b.png' } },
  ],
  'webhookRunner.eventHub': [
    `strapi.webhookRunner.eventHub.emit('note.sent', { to: 'hub' });`,
    'note.sent',
    { to: 'hub' },
  ],
  'webhookRunner.executeListener': [
    `await strapi.webhookRunner.executeListener({ event: 'note.sent', info: { to: 'all' } });`,
    'note.sent',
    { to: 'all' },
  ],
  'webhookRunner.run': [
    `const [webhook] = await strapi.webhookStore.findWebhooks();
     ctx.body = await strapi.webhookRunner.run(webhook, 'trigger-test', { test: 1 });`,
    'trigger-test',
    { test: 1 },
  ],
};

const files = {
  ...apiFiles('note', { text: { type: 'string' }, secret: { type: 'string', private: true } }),
  '.env': 'WEBHOOK_PRIVATE_NETWORKS=true',
  'src/index.js': `const heard = [];
  const ways = { ${Object.entries(ways)
    .map(([name, [code]]) => `${JSON.stringify(name)}: async (ctx) => { ${code} }`)
    .join(',\n')} };
  module.exports = {
    register({ strapi }) {
      strapi.eventHub.emit('note.sent', { to: 'nobody yet' });
      strapi.eventHub.subscribe((event) => void heard.push(event));
      strapi.webhookStore.addAllowedEvent('NOTE_SENT', 'note.sent');
      const route = (method, path, handler) => ({ method, path, handler, config: { auth: false } });
      strapi.server.routes([
        route('POST', '/listen', async (ctx) => {
          const events = [...strapi.webhookStore.listAllowedEvents().map((key) => strapi.webhookStore.getAllowedEvent(key))];
          await strapi.webhookStore.createWebhook({ name: 'all', url: ctx.request.body.url, headers: { 'X-Own': 'yes' }, events });
          await strapi.webhookStore.createWebhook({ name: 'other', url: ctx.request.body.url + '/other', events: ['entry.publish'] });
          ctx.body = {};
        }),
        route('POST', '/run', async (ctx) => {
          heard.length = 0;
          ctx.body = {};
          await ways[ctx.request.body.way](ctx);
        }),
        route('GET', '/heard', (ctx) => { ctx.body = { heard }; }),
        route('POST', '/write', async (ctx) => { ctx.body = await strapi.entityService.create('${uid}', { data: { text: 'own' } }); }),
      ]);
    },
  };`,
};

let running: RunningProject;
let receiver: Receiver;
beforeAll(async () => {
  receiver = await openReceiver();
  running = await openProjectFolder(files);
  await running.send('POST', '/listen', { url: receiver.url });
});
afterAll(async () => {
  await running.stop();
  await receiver.close();
});

test.each(Object.entries(ways))('%s reaches webhooks', async (way, [, event, body]) => {
  const before = receiver.arrivals.length;
  const { status, body: answered } = await running.send('POST', '/run', { way });
  const arrived = await receiver.arrived(before + 1);
  expect([status, answered]).toEqual([200, way === 'webhookRunner.run' ? { statusCode: 200 } : {}]);
  expect(arrived.slice(before)).toMatchObject([{ path: '/', headers: { 'x-strapi-event': event, 'x-own': 'yes' } }]);
  expect(arrived[before]?.body).toEqual({ event, createdAt: expect.any(String), ...body });
  const isTold = !['webhookRunner.run', 'webhookRunner.executeListener'].includes(way);
  expect((await running.send('GET', '/heard')).body).toEqual({ heard: isTold ? [event] : [] });
});

test('an event of the service reaches a webhook once, beside those of code', async () => {
  const before = receiver.arrivals.length;
  await running.send('POST', '/write');
  await running.send('POST', '/run', { way: 'eventHub.emit' });
  await running.send('POST', '/run', { way: 'webhookRunner.eventHub' });
  const arrived = await receiver.arrived(before + 3);
  expect(
    arrived
      .slice(before)
      .map(({ body }) => body.event as unknown)
      .toSorted(),
  ).toEqual(['entry.create', 'entry.update', 'note.sent']);
  expect(running.output()).not.toMatch(/"level":"?(?:error|50)/);
});

test('what a receiver refuses is sent again', async () => {
  receiver.answer(503);
  const before = receiver.arrivals.length;
  await running.send('POST', '/run', { way: 'eventHub.emit' });
  await receiver.arrived(before + 1);
  receiver.answer(200);
  const [first, second] = (await receiver.arrived(before + 2)).slice(before);
  expect([first?.answered, second?.answered, second?.text]).toEqual([503, 200, first?.text]);
});
