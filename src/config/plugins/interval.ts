/** Milliseconds of each unit. Source: the package koa2-ratelimit, which limits rates in Strapi v4. */
const units: Readonly<Record<string, number>> = {
  ms: 1,
  sec: 1000,
  min: 60_000,
  hour: 3_600_000,
  day: 86_400_000,
  week: 604_800_000,
  month: 2_628_000_000,
  year: 31_536_000_000,
};

/**
 * An interval of Strapi v4's rate limits in milliseconds: a number, or amounts by unit, such as `{ min: 5 }`; NaN if it
 * is neither.
 */
export function parseInterval(interval: unknown): number {
  if (typeof interval !== 'object' || interval === null) return Number(interval);
  return Object.entries(interval).reduce((sum, [unit, amount]) => sum + (units[unit] ?? NaN) * Number(amount), 0);
}
