import type Lodash from 'lodash';
import { lazyRequire } from '../lazy-require.js';

const lodash = lazyRequire<typeof Lodash>('lodash');

/** A copy of settings for code that changes them: copies lists and plain objects, and keeps other objects. */
export function copySettings(settings: unknown): unknown {
  const { cloneDeepWith, isPlainObject } = lodash();
  return cloneDeepWith(settings, (value: unknown) =>
    Array.isArray(value) || isPlainObject(value) ? undefined : value,
  );
}
