import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { startMailServer, type MailServer } from '../plugins/users-permissions/mail-server.js';
import { openProjectFolder, type RunningProject } from './project-folder.js';

let mails: MailServer;
let running: RunningProject | undefined;
beforeEach(async () => {
  mails = await startMailServer();
});
afterEach(async () => {
  await running?.stop();
  running = undefined;
  await mails.close();
});

const base = {
  'src/api/mail/routes/mail.js': `module.exports = { routes: [
    { method: 'POST', path: '/mail', handler: 'mail.send', config: { auth: false } } ] };`,
  'src/api/mail/controllers/mail.js': `module.exports = { async send(ctx) {
    await strapi.plugin('email').service('email').send({ ...ctx.request.body, cc: 'c@example.test' });
    ctx.body = { sent: true };
  } };`,
  'package.json': '{ "name": "project" }',
};
const mail = { to: 'a@example.test', subject: 'Hello', text: 'plain', html: '<b>bold</b>' };
const settings = `settings: { defaultFrom: 'From <from@example.test>', defaultReplyTo: 'reply@example.test' }`;

test('@strapi/provider-email-nodemailer sends mails of project code and of the service', async () => {
  const { port } = new URL(mails.url);
  const config = `provider: 'nodemailer', providerOptions: { host: '127.0.0.1', port: ${port}, ignoreTLS: true }, ${settings}`;
  running = await openProjectFolder(
    {
      ...base,
      'src/extensions/email/strapi-server.js': `module.exports = (plugin) => {
        const { send } = plugin.controllers.email;
        plugin.controllers.email.send = (ctx) => { ctx.request.body.to = 'fixed@example.test'; return send(ctx); };
        return plugin;
      };`,
      'config/plugins.js': `module.exports = () => ({ email: { config: { ${config} } } });`,
      'access.json': JSON.stringify({
        roles: {
          public: {
            permissions: [
              ...['register', 'forgotPassword'].map((one) => `plugin::users-permissions.auth.${one}`),
              'plugin::email.email.send',
            ],
          },
        },
      }),
    },
    ['@strapi/provider-email-nodemailer'],
  );
  expect(await running.send('POST', '/api/mail', mail)).toMatchObject({ status: 200, body: { sent: true } });
  const own = await mails.next();
  expect(own).toContain('From: From <from@example.test>');
  expect(own).toContain('Reply-To: reply@example.test');
  expect(own).toContain('Cc: c@example.test');
  expect(own).toContain('<b>bold</b>');
  expect(await running.send('POST', '/api/email', mail)).toMatchObject({ status: 200 });
  expect(await mails.next()).toContain('To: fixed@example.test');
  const account = { username: 'anna', email: 'anna@example.test', password: 'secret-of-anna' };
  await running.send('POST', '/api/auth/local/register', account);
  await running.send('POST', '/api/auth/forgot-password', { email: account.email });
  const reset = await mails.next();
  expect(reset).toContain('To: anna@example.test');
  expect(reset).toContain('From: From <from@example.test>');
});

test('SMTP_URL takes precedence over the provider, and the settings set the sender', async () => {
  running = await openProjectFolder({
    ...base,
    '.env': `SMTP_URL=${mails.url}\n`,
    'config/plugins.js': `module.exports = { email: { config: { provider: 'sendgrid', ${settings} } } };`,
  });
  await running.send('POST', '/api/mail', mail);
  expect(await mails.next()).toContain('From: From <from@example.test>');
});
