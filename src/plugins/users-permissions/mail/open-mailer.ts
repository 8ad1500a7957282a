import type { Config } from '../../../config/config.js';
import type { FindProvider } from '../../../config/project/find-provider.js';
import { openProvider } from '../../../config/project/open-provider.js';
import { isRecord } from '../../../config/record.js';
import type { Logger } from '../../../errors/logger.js';
import { StartError } from '../../../errors/start-error.js';
import type { Mailer, PluginContext } from '../../contract/plugin.js';

interface MailerParts {
  readonly find: FindProvider;
  readonly load: PluginContext['project']['loadModule'];
  readonly log: Logger;
}

/**
 * Opens the mailer: the server of `SMTP_URL`, otherwise the provider of `email` in the plugins file by Strapi v4's
 * contract, `init(providerOptions, settings)`, if it is installed.
 * @throws StartError if the provider refuses its options, or has another contract
 */
export async function openMailer(
  { mail, plugins, environment, variables }: Config,
  { find, load, log }: MailerParts,
): Promise<Mailer> {
  const { provider, providerOptions = {}, settings } = plugins['email']?.config ?? {};
  const options = isRecord(settings) ? settings : {};
  const own = typeof options['defaultFrom'] === 'string' ? options['defaultFrom'] : mail.from;
  const from = variables['MAIL_FROM'] ?? own;
  const isUsed = mail.url === undefined && plugins['email']?.enabled !== false && typeof provider === 'string';
  const file = isUsed ? find('email', provider) : undefined;
  if (!isUsed || file === undefined) return createMailer({ ...mail, from }, environment, log);
  const description = `email: the provider "${provider}"`;
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

/** Sends mail through the configured SMTP server. Without one it is printed in development, and otherwise discarded. */
function createMailer({ url, from }: Config['mail'], environment: Config['environment'], log: Logger): Mailer {
  if (url !== undefined) return smtpMailer(url, from);
  return {
    isConnected: false,
    send: async ({ to, subject, text }) => {
      if (environment === 'development') log.info(`Mail to ${to}: ${subject}\n${text}`);
      else log.error(`A mail ("${subject}") was not sent: SMTP_URL is not set`);
    },
  };
}

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
