import type Lodash from 'lodash';
import { lazyRequire } from '../lazy-require.js';

const lodash = lazyRequire<typeof Lodash>('lodash');

/** A copy of settings for code that changes them: copies lists and plain objects, and keeps other objects. */
export const thaw = (settings: unknown): unknown =>
  lodash().cloneDeepWith(settings, (value: unknown) =>
    Array.isArray(value) || lodash().isPlainObject(value) ? undefined : value,
  );
