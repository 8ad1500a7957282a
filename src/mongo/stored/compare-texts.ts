import type { Collation } from '../../content-types/model/dialects.js';
import { memoize } from '../../query/memoize.js';

/** What JavaScript calls the strengths; it has none that tells all texts apart. */
const sensitivities = { 1: 'base', 2: 'accent', 3: 'variant', 5: 'variant' } as const;

const collatorOf = memoize(
  ({ locale, strength, alternate }: Collation) =>
    new Intl.Collator(locale, { sensitivity: sensitivities[strength], ignorePunctuation: alternate === 'shifted' }),
);

/** The order of two texts by a collation, as nearly as this process has it. */
export function compareTexts(a: string, b: string, collation: Collation): number {
  const order = collatorOf(collation).compare(a, b);
  if (order !== 0 || collation.strength < 5) return order;
  return a === b ? 0 : a < b ? -1 : 1;
}
