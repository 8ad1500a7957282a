import lodash from 'lodash';

/** A copy of settings for code that writes into them: of lists and plain objects, and other objects as they are. */
export const thaw = (settings: unknown): unknown =>
  lodash.cloneDeepWith(settings, (value: unknown) =>
    Array.isArray(value) || lodash.isPlainObject(value) ? undefined : value,
  );
