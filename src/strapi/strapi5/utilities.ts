import lodash from 'lodash';
import type { Named } from '../strapi.js';

/** What `@strapi/utils` has in groups since Strapi 5 (recorded: code/19-sanitize). */
export const utilitiesOfStrapi5 = (utils: Named): Named => ({
  strings: {
    ...lodash.pick(utils, [
      'nameToSlug',
      'getCommonBeginning',
      'getCommonPath',
      'isCamelCase',
      'isKebabCase',
      'joinBy',
      'startsWithANumber',
      'toKebabCase',
      'toRegressedEnumValue',
    ]),
    isEqual: utils['stringEquals'] as unknown,
  },
  objects: { keysDeep: utils['keysDeep'] as unknown },
  arrays: { includesString: utils['stringIncludes'] as unknown },
  dates: { timestampCode: utils['generateTimestampCode'] as unknown },
  async: {
    map: utils['mapAsync'] as unknown,
    reduce: utils['reduceAsync'] as unknown,
    pipe: utils['pipeAsync'] as unknown,
  },
});
