import type { ContentType } from '../../content-types/model/types.js';
import { namesOf } from '../../plugins/contract/graphql/names.js';
import { isKey } from '../../query/parse/parse-key.js';
import { inputType } from './definition.js';
import type { Shadow } from './rules.js';

/** The attributes of a type by which one entry is found. */
const keysOf = ({ uid, attributes }: ContentType, shadow: Shadow): readonly string[] =>
  [...attributes.values()].flatMap((attribute) =>
    isKey(attribute, 'client') && shadow.hasField(uid, attribute.name, 'filters') ? [attribute.name] : [],
  );

export const hasKeys = (type: ContentType, shadow: Shadow): boolean => keysOf(type, shadow).length > 0;

/** The input that names an entry by one of its unique values, in SDL. */
export const keyDefinitions = (type: ContentType, shadow: Shadow): readonly string[] =>
  shadow.requestOptions && hasKeys(type, shadow)
    ? [inputType({ name: namesOf(type).keyInput, fields: keysOf(type, shadow).map((name) => `${name}: String`) })]
    : [];
