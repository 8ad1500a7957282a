import { styleText } from 'node:util';
import type { DestinationStream } from 'pino';

type Style = Parameters<typeof styleText>[0];

/** The prefix of a message, by pino's level. */
const levels: Readonly<Record<number, readonly [name: string, style: Style] | undefined>> = {
  10: ['trace ', 'dim'],
  20: ['debug ', 'dim'],
  40: ['warning ', 'yellow'],
  50: ['error ', 'red'],
  60: ['fatal ', 'red'],
};

/** The log for people instead of JSON: time, message, and below it the other fields. */
export function formatLog(write: (text: string) => unknown, colours: boolean): DestinationStream {
  const paint = (style: Style | undefined, text: string): string =>
    colours && style !== undefined ? styleText(style, text, { validateStream: false }) : text;
  return {
    write: (line) => {
      const { level, time, pid: _pid, hostname: _hostname, msg = '', err, ...rest } = JSON.parse(line) as Line;
      const [name, style] = levels[level] ?? [''];
      const { message, stack = message } = err ?? {};
      const more = [
        ...(stack === undefined ? [] : [stack]),
        ...Object.entries(rest).map(
          ([key, value]) => `${key}: ${typeof value === 'string' ? value : JSON.stringify(value)}`,
        ),
      ];
      const heading = `${paint('dim', clock.format(time))} ${paint(style, `${name}${msg}`)}`;
      write(`${[heading, ...more.map((text) => paint('dim', text.replaceAll(/^/gm, '    ')))].join('\n')}\n`);
    },
  };
}

interface Line {
  readonly level: number;
  readonly time: number;
  readonly pid?: number;
  readonly hostname?: string;
  readonly msg?: string;
  readonly err?: { readonly message: string; readonly stack?: string };
}

const clock = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' });
