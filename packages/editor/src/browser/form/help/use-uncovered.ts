import { useState } from 'react';
import type { Issue } from '../../model/rules.js';

/**
 * The paths of values that had to be corrected since the form was opened. Their fields are shown whatever their
 * conditions say: what has to be corrected must be seen, also while it is.
 */
export function useUncovered(issues: readonly Issue[]): ReadonlySet<string> {
  const [uncovered, setUncovered] = useState<ReadonlySet<string>>(new Set());
  const found = issues.filter(({ path }) => !uncovered.has(path));
  if (found.length > 0) setUncovered(new Set([...uncovered, ...found.map(({ path }) => path)]));
  return uncovered;
}
