import type { Texts } from './texts.js';

/** A time as the language writes it, in the region that the browser prefers: `en-GB` begins with the day. */
export function timeOf({ code }: Texts, value: unknown): string {
  const time = new Date(String(value));
  const locale = navigator.languages.find((tag) => tag.split('-', 1)[0] === code) ?? code;
  return Number.isNaN(time.getTime()) ? '' : time.toLocaleString(locale, { dateStyle: 'medium', timeStyle: 'short' });
}
