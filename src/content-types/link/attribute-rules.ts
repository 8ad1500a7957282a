import * as shapes from '../model/settings-schema.js';
import type { Schema } from '../model/settings-schema.js';
import type { ScalarType } from '../model/types.js';

/** The supported options of attributes and their rules. Other options are ignored. */
export const attributeOptions = {
  required: shapes.boolean,
  unique: shapes.boolean,
  private: shapes.boolean,
  configurable: shapes.boolean,
  writable: shapes.boolean,
  visible: shapes.boolean,
  searchable: shapes.boolean,
  pluginOptions: shapes.record,
  columnType: shapes.record,
  min: shapes.numberOrText,
  max: shapes.numberOrText,
  minLength: shapes.count,
  maxLength: shapes.count,
  regex: shapes.string,
  enum: shapes.strings,
  enumName: shapes.graphqlName,
  targetField: shapes.string,
  generate: shapes.boolean,
  customField: shapes.string,
  relation: shapes.string,
  target: shapes.string,
  inversedBy: shapes.string,
  mappedBy: shapes.string,
  morphBy: shapes.string,
  component: shapes.string,
  components: shapes.strings,
  repeatable: shapes.boolean,
  multiple: shapes.boolean,
  allowedTypes: shapes.someOf('images', 'videos', 'files', 'audios'),
} as const satisfies Readonly<Record<string, Schema<unknown>>>;

/** Which options count for a type. Source: the entity validator and the search of Strapi v4. */
interface ScalarRule {
  /** `minLength`, `maxLength` and `regex` count. */
  readonly lengths: boolean;
  /** The rule for `min` and `max`; absent: they have no effect. */
  readonly limits?: Schema<number | string>;
  readonly unique: 'always' | 'declared' | 'never';
  /** `_q` searches it. */
  readonly searched: boolean;
  /** The rule for `default`; absent: any value. */
  readonly default?: Schema<unknown>;
  /** It can be the `targetField` of a `uid`. */
  readonly named: boolean;
}

const text: ScalarRule = { lengths: true, unique: 'declared', searched: true, default: shapes.string, named: true };
const number: ScalarRule = {
  lengths: false,
  limits: shapes.number,
  unique: 'declared',
  searched: true,
  default: shapes.number,
  named: false,
};
const dateTime: ScalarRule = {
  lengths: false,
  unique: 'declared',
  searched: false,
  default: shapes.numberOrText,
  named: false,
};
const json: ScalarRule = { lengths: false, unique: 'never', searched: false, named: false };

export const scalarRules: Readonly<Record<ScalarType, ScalarRule>> = {
  string: text,
  text,
  richtext: text,
  email: text,
  uid: { ...text, unique: 'always' },
  // The length, uniqueness and content of a password cannot be checked on its hash; lengths apply to the plain text.
  password: { ...text, unique: 'never', searched: false, named: false },
  enumeration: { ...text, lengths: false, unique: 'never' },
  integer: { ...number, default: shapes.integer },
  biginteger: { ...number, limits: shapes.bigInteger, default: shapes.bigInteger },
  decimal: number,
  float: number,
  boolean: { ...json, default: shapes.boolean },
  date: { ...dateTime, default: shapes.string },
  time: { ...dateTime, default: shapes.string },
  datetime: dateTime,
  timestamp: dateTime,
  json,
  blocks: { ...json, default: shapes.list },
  array: { ...json, default: shapes.list },
};

export const isScalarType = (type: string): type is ScalarType => Object.hasOwn(scalarRules, type);
