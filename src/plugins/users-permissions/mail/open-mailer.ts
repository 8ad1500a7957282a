import type { Config } from '../../../config/config.js';
import type { FindProvider } from '../../../config/project/find-provider.js';
import { openProvider } from '../../../config/project/open-provider.js';
import { isRecord } from '../../../config/record.js';
import type { Logger } from '../../../errors/logger.js';
import { StartError } from '../../../errors/start-error.js';
import type { BuiltInContext } from '../../contract/built-in.js';
import type { Mailer } from '../../contract/plugin.js';

/**
 * Opens the mailer: the server of `SMTP_URL`, otherwise the provider of `email` in the plugins file by Strapi v4's
 * contract, `init(providerOptions, settings)`, if it is installed.
 * @throws StartError if the provider refuses its options, or has another contract
 */
export async function openMailer(
  { mail, plugins, environment, variables }: Config,
  find: FindProvider,
  load: BuiltInContext['project']['loadModule'],
  log: Logger,
): Promise<Mailer> {
  const { provider, providerOptions = {}, settings } = plugins['email']?.config ?? {};
  const options = isRecord(settings) ? settings : {};
  const own = typeof options['defaultFrom'] === 'string' ? options['defaultFrom'] : mail.from;
  const from = variables['MAIL_FROM'] ?? own;
  if (mail.url !== undefined) return smtpMailer(mail.url, from);
  const isEnabled = plugins['email']?.enabled !== false && typeof provider === 'string';
  const file = isEnabled ? find('email', provider) : undefined;
  if (file === undefined) return unconnectedMailer(environment, log);
  const description = `email: the provider "${String(provider)}"`;
  const methodOf = await openProvider(description, () => load(file), providerOptions, {
    ...options,
    defaultFrom: from,
  });
  const send = methodOf('send');
  if (send === undefined) throw new StartError(`${description} must implement send`);
  return { isConnected: true, send: async (message) => void (await send({ ...message })) };
}

/** The time limit in milliseconds for each step of the mail server. */
const TIMEOUT_MS = 10_000;

/** Prints mails in development, and otherwise discards them. */
const unconnectedMailer = (environment: Config['environment'], log: Logger): Mailer => ({
  isConnected: false,
  send: async ({ to, subject, text }) => {
    if (environment === 'development') log.info(`Mail to ${to}: ${subject}\n${text}`);
    else log.error(`A mail ("${subject}") was not sent: SMTP_URL is not set`);
  },
});

function smtpMailer(url: string, from: string): Mailer {
  // Loaded when the first mail is sent: most processes never send one.
  const times = { connectionTimeout: TIMEOUT_MS, greetingTimeout: TIMEOUT_MS, socketTimeout: TIMEOUT_MS };
  const transport = () =>
    import('nodemailer').then(({ createTransport }) => createTransport({ url, ...times }, { from }));
  let opened: ReturnType<typeof transport> | undefined;
  return {
    isConnected: true,
    send: async (mail) => {
      opened ??= transport();
      await (await opened).sendMail({ ...mail });
    },
  };
}
