import lodash from 'lodash';
import { isRecord } from '../../src/config/record.js';
import type { ContentType } from '../../src/content-types/model/types.js';
import { namesOf } from '../../src/plugins/contract/graphql/names.js';
import { measureFunctions } from '../../src/query/measures.js';
import type { QueryInput } from '../../src/query/parse/input.js';
import { inBrackets, literal } from './as-graphql.js';
import type { Conditions } from './random-request.js';

/** What all requests for groups select by, in GraphQL's form. */
export interface Selecting {
  readonly filters?: Conditions | undefined;
  /** Written into the document as they are: the names of enums. */
  readonly words: Readonly<Record<string, string>>;
  readonly texts: Readonly<Record<string, string>>;
}

type Tree = Readonly<Record<string, unknown>>;

/** A word of a document, as opposed to a text. */
class Word {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/**
 * The document for groups that parameters of the REST API ask for.
 * @param around the fields that lead to groups and to their total
 */
export function groupsAsGraphql(
  type: ContentType,
  { groupBy, having, sort, timeZone, pagination, ...measured }: QueryInput,
  { filters, words, texts }: Selecting,
  around: (fields: string) => string,
): string {
  const keys = (groupBy as readonly (string | Readonly<Record<string, string>>)[]).map(keyOf);
  const args = [
    ...(filters ? [`filters: ${literal(filters)}`] : []),
    ...(keys.length > 0 ? [`groupBy: [${keys.map(([path, part]) => written(nested(path, part))).join(', ')}]`] : []),
    ...(having === undefined ? [] : [`having: ${written(conditionsIn(having as Tree))}`]),
    ...(sort === undefined ? [] : [`sort: ${literal(sort)}`]),
    ...Object.entries(words).map(([name, word]) => `${name}: ${word}`),
    ...Object.entries({ ...texts, timeZone: timeZone as string }).map(([name, text]) => `${name}: ${literal(text)}`),
    `pagination: ${written(lodash.mapValues(pagination as Tree, (value) => Number(value)))}`,
  ];
  const parts = measureFunctions.flatMap((name) => {
    const paths = (measured[name] ?? []) as readonly string[];
    return paths.length === 0 ? [] : [`${name} { ${selected(paths)} }`];
  });
  const key = keys.length === 0 ? [] : [`key { ${selected(keys.map(([path]) => path))} }`];
  return `{ ${namesOf(type).aggregate}${inBrackets(args)} ${around(['count', ...key, ...parts].join(' '))} }`;
}

function keyOf(key: string | Readonly<Record<string, string>>): readonly [string, Word] {
  const [path = '', part = 'value'] = typeof key === 'string' ? key.split(':') : (Object.entries(key)[0] ?? []);
  return [path, new Word(part.toUpperCase())];
}

const nested = (path: string, value: unknown): object => lodash.setWith({}, path.split('.'), value, Object);

/** Conditions on paths as conditions within objects. */
const conditionsIn = (having: Tree): Tree =>
  lodash.mapValues(having, (of, name) =>
    name === 'count'
      ? operatorsIn(of as Tree)
      : lodash.merge({}, ...Object.entries(of as Tree).map(([path, one]) => nested(path, operatorsIn(one as Tree)))),
  );

const operatorsIn = (conditions: Tree): Tree =>
  Object.fromEntries(
    Object.entries(conditions).map(([name, operand]) => [
      name.slice(1),
      ['$null', '$notNull'].includes(name) ? true : Number(operand),
    ]),
  );

function written(value: unknown): string {
  if (value instanceof Word) return value.text;
  if (!isRecord(value)) return JSON.stringify(value);
  return `{ ${Object.entries(value)
    .map(([name, inner]) => `${name}: ${written(inner)}`)
    .join(', ')} }`;
}

/** Each value once, at its path. */
function selected(paths: readonly string[]): string {
  const tree = lodash.merge({}, ...paths.map((path) => nested(path, true))) as Tree;
  const fields = (level: Tree): string =>
    Object.entries(level)
      .map(([name, below]) => (below === true ? name : `${name} { ${fields(below as Tree)} }`))
      .join(' ');
  return fields(tree);
}
