import lodash from 'lodash';
import type { Named } from '../strapi.js';

/** The first segments that paths have in common. */
function getCommonPath(...paths: readonly string[]): string {
  const [first = [], ...others] = paths.map((path) => path.split('/'));
  return lodash.takeWhile(first, (segment, index) => others.every((other) => other[index] === segment)).join('/');
}

/** What `@strapi/utils` has in groups since Strapi 5 (recorded: code/19-sanitize). */
export const utilitiesOfStrapi5 = (utils: Named): Named => ({
  strings: {
    ...lodash.pick(utils, [
      'nameToSlug',
      'getCommonBeginning',
      'isCamelCase',
      'isKebabCase',
      'joinBy',
      'startsWithANumber',
      'toKebabCase',
      'toRegressedEnumValue',
    ]),
    getCommonPath,
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
