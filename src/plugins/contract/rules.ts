import * as rule from '../../content-types/model/settings-schema.js';

/**
 * The rules that settings of plugins have in common. One of a plugin's own has `expected`, for the message, and `test`.
 */
export const rules = {
  boolean: rule.boolean,
  string: rule.string,
  /** A string with more than space. */
  filledString: rule.filledString,
  number: rule.number,
  /** An integer from 0. */
  count: rule.count,
  /** An integer from 1. */
  positive: rule.positive,
  /** A URL of http or https. */
  httpUrl: rule.httpUrl,
  list: rule.list,
  strings: rule.strings,
  record: rule.record,
  /** Also for a secret, which a message must not contain. */
  anything: rule.anything,
  /** One of these strings. */
  oneOf: rule.oneOf,
} as const;
