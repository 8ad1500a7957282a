import type { Config } from '../../../config/config.js';
import type { Log } from '../../../mongo/connection/database.js';
import type { Mailer } from '../../contract/plugin.js';

/** Milliseconds that the mail server may take for a step. */
const TIMEOUT_MS = 10_000;

/** Sends mail through the SMTP server of the configuration. Without one it is printed in development, else lost. */
export function createMailer({ url, from }: Config['mail'], environment: Config['environment'], log: Log): Mailer {
  if (url !== undefined) return smtpMailer(url, from);
  return {
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
    send: async (mail) => {
      opened ??= transport();
      await (await opened).sendMail({ ...mail });
    },
  };
}
