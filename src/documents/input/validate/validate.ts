import type * as AjvPackage from 'ajv';
import type { Ajv, ErrorObject, KeywordDefinition, SchemaValidateFunction, ValidateFunction } from 'ajv';
import { bounds } from '../../../config/bounds.js';
import { lazyRequire } from '../../../config/lazy-require.js';
import { isDeeperThan, type Data } from '../../../config/record.js';
import type { Issue } from '../../../errors/codes.js';
import type { Attributes, ContentType, Registry } from '../../../content-types/model/types.js';
import { blocksSchema } from './blocks-schema.js';
import { isEmail } from './is-email.js';
import { orderOfIssues } from './issue-order.js';
import { explain } from './messages.js';
import { hasRefusedDefaults, withRefusedDefaults } from './refused-defaults.js';
import {
  ALL_COMPONENTS,
  allComponents,
  componentReference,
  nameOfScope,
  schemaOf,
  scopes,
  type Scope,
} from './schema.js';
import { BLOCKS, parseBigInteger } from '../../../content-types/model/attribute-types.js';

const loadAjv = lazyRequire<typeof AjvPackage>('ajv');

/** Ajv with the schemas of all components, which the schemas of content types refer to. */
function openAjv({ components }: Registry): Ajv {
  const { Ajv, _ } = loadAjv();
  const ajv = new Ajv({
    allErrors: true,
    verbose: true,
    strict: false,
    strictNumbers: true,
    // A test validates the schemas against JSON Schema; here it would take 40 ms.
    meta: false,
    validateSchema: false,
    // To optimize the code takes longer than it saves.
    code: { optimize: false },
  });
  // `errors` is the number of errors in the code that Ajv generates, where the elements of a list are checked in a
  // loop.
  ajv.addKeyword({
    keyword: 'maxErrors',
    code: ({ gen, schema }) => gen.if(_`errors >= ${schema}`, () => gen.code(_`break`)),
  });
  for (const replaced of replacedKeywords) ajv.removeKeyword(String(replaced.keyword));
  for (const own of [...replacedKeywords, ...keywords]) ajv.addKeyword(own);
  ajv.addFormat('email', isEmail);
  ajv.addSchema(blocksSchema, BLOCKS);
  // Ajv does not accept an empty enumeration, and without components no schema refers to it.
  if (components.size > 0) ajv.addSchema(allComponents(components), ALL_COMPONENTS);
  for (const scope of scopes) {
    for (const component of components.values()) {
      ajv.addSchema(schemaOf(component, scope), componentReference(component, scope));
    }
  }
  return ajv;
}

/**
 * Checks written data against its content type. Ajv is loaded with the first data, and schemas are compiled on first
 * use.
 */
export function createValidator(registry: Registry) {
  let ajv: Ajv | undefined;
  const compiled = new Map<string, ValidateFunction>();
  const refusesDefaults = hasRefusedDefaults(registry);
  const validatorOf = (type: ContentType, scope: Scope): ValidateFunction => {
    const key = `${nameOfScope(scope)} ${type.uid}`;
    const validate = compiled.get(key) ?? (ajv ??= openAjv(registry)).compile(schemaOf(type, scope));
    compiled.set(key, validate);
    return validate;
  };
  return {
    /** The issues of cast data, in the order of the definition. */
    check: (type: ContentType, scope: Scope, data: Data): readonly Issue[] => {
      const validate = validatorOf(type, scope);
      const isCompleted = refusesDefaults && scope.isNew;
      return validate(isCompleted ? withRefusedDefaults(data, type.attributes) : data)
        ? []
        : issuesOf(validate.errors ?? [], type.attributes);
    },
  };
}

export type Validator = ReturnType<typeof createValidator>;

function issuesOf(errors: readonly ErrorObject[], attributes: Attributes): readonly Issue[] {
  const issues = errors.flatMap((error) => {
    const path = error.instancePath.split('/').slice(1);
    if (error.keyword === 'required') path.push(String(error.params['missingProperty']));
    const explained = explain(labelOf(path), error);
    return explained === undefined ? [] : [{ path, ...explained }];
  });
  const compare = orderOfIssues(attributes);
  return issues.toSorted((a, b) => compare(a, b) || deeperFirst(a, b));
}

/** Issues inside a value come before issues of the value. */
function deeperFirst({ path: a }: Issue, { path: b }: Issue): number {
  const within = (inner: readonly string[], outer: readonly string[]): boolean =>
    inner.length > outer.length && outer.every((name, index) => inner[index] === name);
  return within(a, b) ? -1 : within(b, a) ? 1 : 0;
}

/** `links[0].url`, as yup names it; `this` for the whole data. */
export const labelOf = (path: readonly string[]): string =>
  path.length === 0
    ? 'this'
    : path.map((name, index) => (/^\d+$/.test(name) ? `[${name}]` : index === 0 ? name : `.${name}`)).join('');

/** Whether it is the address of a link: a URL, or a path of this site. */
function isLink(link: unknown): boolean {
  return typeof link === 'string' && URL.canParse(link.startsWith('/') ? `https://localhost${link}` : link);
}

/**
 * A keyword of the schemas.
 * @param type of the data that it is about; undefined: any
 * @param allows takes its value in the schema, and the data
 */
const keyword = (
  name: string,
  type: 'string' | 'number' | undefined,
  allows: SchemaValidateFunction,
): KeywordDefinition => ({ keyword: name, ...(type && { type }), validate: allows, errors: false });

/**
 * Keywords of JSON Schema with another meaning here: a length counts UTF-16 code units, as in Strapi v4, whereas
 * JSON Schema counts code points.
 */
const replacedKeywords = [
  keyword('minLength', 'string', (limit: number, data: string) => data.length >= limit),
  keyword('maxLength', 'string', (limit: number, data: string) => data.length <= limit),
];

/** The keywords that the schemas use in addition to those of JSON Schema. */
const keywords = [
  keyword('integer', 'number', (_: unknown, data: number) => Number.isSafeInteger(data)),
  // UTF-8, and so the database, has no form for a surrogate alone.
  keyword('wellFormed', 'string', (_: unknown, data: string) => data.isWellFormed()),
  keyword(
    'matches',
    'string',
    ({ source, empty }: { source: string; empty: boolean }, data: string) =>
      (empty && data === '') || new RegExp(source).test(data),
  ),
  keyword('bigInteger', undefined, ({ min, max }: { min?: string; max?: string }, data: unknown) => {
    const integer = parseBigInteger(data);
    if (integer === undefined) return false;
    return (min === undefined || integer >= BigInt(min)) && (max === undefined || integer <= BigInt(max));
  }),
  keyword('notEmpty', 'string', (_: unknown, data: string) => data !== ''),
  keyword('notNull', undefined, (_: unknown, data: unknown) => data !== null),
  keyword('member', undefined, (members: readonly unknown[], data: unknown) => data === null || members.includes(data)),
  keyword('link', undefined, (_: unknown, data: unknown) => isLink(data)),
  keyword('json', undefined, (_: unknown, data: unknown) => !isDeeperThan(bounds.jsonLevels, data)),
];
