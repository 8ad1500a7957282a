import type { Texts } from './texts.js';

/** A time as the language writes it. */
export const timeOf = (texts: Texts, value: unknown): string =>
  format(texts, value, { dateStyle: 'medium', timeStyle: 'short' });

/** A day without a time, which is the same in all time zones. */
export const dateOf = (texts: Texts, value: unknown): string =>
  format(texts, value, { dateStyle: 'medium', timeZone: 'UTC' });

/** Names as a sentence of the language joins them. */
export const listOf = ({ code }: Texts, names: readonly string[]): string => new Intl.ListFormat(code).format(names);

/** The language in the region that the browser prefers: `en-GB` begins with the day. */
export const regionOf = ({ code }: Texts): string =>
  navigator.languages.find((tag) => tag.split('-', 1)[0] === code) ?? code;

function format(texts: Texts, value: unknown, options: Intl.DateTimeFormatOptions): string {
  const time = new Date(String(value));
  return Number.isNaN(time.getTime()) ? '' : time.toLocaleString(regionOf(texts), options);
}
