import type { Texts } from './texts.js';

/** A time as the language writes it. */
export const timeOf = (texts: Texts, value: unknown): string =>
  format(texts, value, { dateStyle: 'medium', timeStyle: 'short' });

/** A day without a time, which is the same in all time zones. */
export const dateOf = (texts: Texts, value: unknown): string =>
  format(texts, value, { dateStyle: 'medium', timeZone: 'UTC' });

/** In the region that the browser prefers: `en-GB` begins with the day. */
function format({ code }: Texts, value: unknown, options: Intl.DateTimeFormatOptions): string {
  const time = new Date(String(value));
  const locale = navigator.languages.find((tag) => tag.split('-', 1)[0] === code) ?? code;
  return Number.isNaN(time.getTime()) ? '' : time.toLocaleString(locale, options);
}
