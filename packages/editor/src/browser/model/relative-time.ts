const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** The units of what is shown, each with its seconds, the largest first. */
const units = [
  ['year', 365 * DAY],
  ['month', 30 * DAY],
  ['day', DAY],
  ['hour', HOUR],
  ['minute', MINUTE],
] as const;

/**
 * How long ago a time was, or how far away it is, in the largest unit that fits: "3 minutes ago"; less than a minute is
 * now.
 */
export function relativeTime(language: string, time: Date, now: Date): string {
  const seconds = (time.getTime() - now.getTime()) / 1000;
  const [unit, size] = units.find(([, least]) => Math.abs(seconds) >= least) ?? ['second', undefined];
  if (size === undefined) return new Intl.RelativeTimeFormat(language, { numeric: 'auto' }).format(0, unit);
  return new Intl.RelativeTimeFormat(language).format(Math.trunc(seconds / size), unit);
}
