import type * as AjvPackage from 'ajv';
import type { Ajv, ErrorObject, ValidateFunction } from 'ajv';
import type formats from 'ajv-formats';
import { lazyRequire } from '../../../config/lazy-require.js';
import type { Issue } from '../../../errors/codes.js';
import type { Attribute, ContentType, Registry } from '../../../content-types/model/types.js';
import { castData } from './cast.js';
import { keywords, replacedKeywords } from './keywords.js';
import { messageOf } from './messages.js';
import { componentReference, isNullable, knownComponents, KNOWN_COMPONENTS, schemaOf, type Mode } from './schema.js';

type Data = Readonly<Record<string, unknown>>;

/** Checks written data against its content type. */
export interface Validator {
  /**
   * Gives the data with Strapi's casts done, and only what the content type knows; and all that is wrong with it, in
   * the order of the definition.
   */
  check(type: ContentType, mode: Mode, data: Data): { readonly data: Data; readonly issues: readonly Issue[] };
}

const loadAjv = lazyRequire<typeof AjvPackage>('ajv');
const loadFormats = lazyRequire<typeof formats>('ajv-formats');

/** Ajv with the schemas of all components, which those of content types refer to. */
function openAjv({ components }: Registry): Ajv {
  // Our own schemas need no check against JSON Schema's: a test does that, and here it would cost 40 ms.
  const trusted = { meta: false, validateSchema: false };
  const { Ajv } = loadAjv();
  const ajv = new Ajv({ allErrors: true, verbose: true, strict: false, strictNumbers: true, keywords, ...trusted });
  for (const keyword of replacedKeywords) ajv.removeKeyword(String(keyword.keyword)).addKeyword(keyword);
  loadFormats().default(ajv, ['email']);
  // Without components no schema names them, and Ajv takes no empty list.
  if (components.size > 0) ajv.addSchema(knownComponents(components), KNOWN_COMPONENTS);
  const modes: readonly Mode[] = ['create', 'update', 'draft'];
  for (const mode of modes) {
    for (const component of components.values()) {
      ajv.addSchema(schemaOf(component, mode), componentReference(component, mode));
    }
  }
  return ajv;
}

/** A validator for all content types. Ajv is loaded with the first data, schemas are compiled when they are first needed; both are kept. */
export function createValidator(registry: Registry): Validator {
  let ajv: Ajv | undefined;
  const compiled = new Map<string, ValidateFunction>();
  const validatorOf = (type: ContentType, mode: Mode): ValidateFunction => {
    const key = `${mode} ${type.uid}`;
    const known = compiled.get(key) ?? (ajv ??= openAjv(registry)).compile(schemaOf(type, mode));
    compiled.set(key, known);
    return known;
  };
  return {
    check: (type, mode, data) => {
      const cast = castData(data, type.attributes);
      const check = validatorOf(type, mode);
      const valid = check(withoutNulls(cast, type.attributes, mode));
      return { data: cast, issues: valid ? [] : issuesOf(check.errors ?? [], type.attributes) };
    },
  };
}

/** Data without the nulls that are allowed: an absent value is always fine where null is. */
function withoutNulls(data: Data, attributes: ReadonlyMap<string, Attribute>, mode: Mode): Data {
  const kept = Object.entries(data).flatMap(([name, value]) => {
    const attribute = attributes.get(name);
    if (attribute === undefined) return [[name, value] as const];
    if (value === null && isNullable(attribute, mode)) return [];
    return [[name, withoutNullsIn(value, attribute, mode)] as const];
  });
  return Object.fromEntries(kept);
}

function withoutNullsIn(value: unknown, attribute: Attribute, mode: Mode): unknown {
  if (attribute.kind !== 'component' && attribute.kind !== 'zone') return value;
  if (Array.isArray(value)) return value.map((one) => withoutNullsIn(one, attribute, mode));
  if (typeof value !== 'object' || value === null) return value;
  const data = value as Data;
  const component =
    attribute.kind === 'component' ? attribute.component : attribute.components.get(String(data['__component']));
  return component === undefined ? data : withoutNulls(data, component.attributes, mode);
}

function issuesOf(errors: readonly ErrorObject[], attributes: ReadonlyMap<string, Attribute>): readonly Issue[] {
  const order = [...attributes.keys()];
  const issues = errors.flatMap((error) => {
    const path = error.instancePath.split('/').slice(1);
    if (error.keyword === 'required') path.push(String(error.params['missingProperty']));
    const message = messageOf(labelOf(path), error);
    return message === undefined ? [] : [{ path, message }];
  });
  return issues.toSorted(
    (a, b) => order.indexOf(a.path[0] ?? '') - order.indexOf(b.path[0] ?? '') || deeperFirst(a, b),
  );
}

/** What is wrong inside a value comes before what is wrong with it. */
function deeperFirst({ path: a }: Issue, { path: b }: Issue): number {
  const within = (inner: readonly string[], outer: readonly string[]): boolean =>
    inner.length > outer.length && outer.every((name, index) => inner[index] === name);
  return within(a, b) ? -1 : within(b, a) ? 1 : 0;
}

/** `links[0].url`, as yup names it; `this` for the whole. */
const labelOf = (path: readonly string[]): string =>
  path.length === 0
    ? 'this'
    : path.map((name, index) => (/^\d+$/.test(name) ? `[${name}]` : index === 0 ? name : `.${name}`)).join('');
