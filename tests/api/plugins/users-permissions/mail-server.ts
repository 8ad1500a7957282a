import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { countDown } from '../../../support/count-down.js';

/** An SMTP server that stores received mails. */
export interface MailServer {
  readonly url: string;
  /** The next unread mail, as text. */
  next(): Promise<string>;
  /** The number of unread mails. */
  readonly unread: number;
  /** Does not answer new connections until the returned function is called. */
  fallSilent(): () => void;
  close(): Promise<void>;
}

const answers: Readonly<Record<string, string>> = { DATA: '354 go on', QUIT: '221 bye' };

/** The least of SMTP that a client needs, see RFC 5321. */
function converse(socket: Socket, keep: (mail: string) => void): void {
  let heard = '';
  let mail: string | undefined;
  socket.write('220 test\r\n');
  socket.on('error', () => undefined);
  socket.on('data', (chunk) => {
    heard += chunk.toString();
    for (let end = heard.indexOf('\r\n'); end >= 0; end = heard.indexOf('\r\n')) {
      const line = heard.slice(0, end);
      heard = heard.slice(end + 2);
      if (mail === undefined) {
        const word = line.split(' ', 1)[0]?.toUpperCase() ?? '';
        if (word === 'DATA') mail = '';
        socket.write(`${answers[word] ?? '250 ok'}\r\n`);
      } else if (line === '.') {
        keep(mail.replaceAll('=\r\n', '').replaceAll('=3D', '='));
        mail = undefined;
        socket.write('250 kept\r\n');
      } else mail += `${line}\r\n`;
    }
  });
}

export async function startMailServer(): Promise<MailServer> {
  const mails: string[] = [];
  const readers: ((mail: string) => void)[] = [];
  const keep = (mail: string): void => {
    const reader = readers.shift();
    if (reader === undefined) mails.push(mail);
    else reader(mail);
  };
  let speaking = Promise.resolve();
  const server = createServer((socket) => void speaking.then(() => converse(socket, keep)));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    next: async () => mails.shift() ?? new Promise((resolve) => readers.push(resolve)),
    get unread() {
      return mails.length;
    },
    fallSilent: () => {
      const { enough, countOne } = countDown(1);
      speaking = enough;
      return countOne;
    },
    close: async () => {
      server.close();
    },
  };
}
