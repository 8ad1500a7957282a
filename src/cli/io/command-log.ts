import type { Logger } from '../../errors/logger.js';

type Print = (line: unknown) => void;

/**
 * The log of a command, for people: messages, and errors with their stacks.
 * @param info prints what is no problem; without it that is left out
 */
export const commandLog = ({ info, warn }: { readonly info?: Print; readonly warn: Print }): Logger => ({
  info: info === undefined ? () => undefined : printTo(info),
  warn: printTo(warn),
  error: printTo(warn),
});

const printTo =
  (print: Print): Logger['info'] =>
  (details, message) => {
    const text = typeof details === 'string' ? details : message;
    if (text !== undefined) print(text);
    if (typeof details === 'object' && 'err' in details) print(details.err);
  };
