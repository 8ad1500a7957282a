import { attributesFor, textOf, type Audience, type Model } from 'content-service/content-api';
import { AppError, isRecord, type Attribute, type Data } from 'content-service/plugin';
import { checkFilters } from './filters.js';
import { readFields } from './fields.js';
import { below, invalidKey, keyMessage, type Place } from './invalid-key.js';
import { isNamed, modelBehind, populatable, readable } from './names.js';
import { checkSort } from './sort.js';

const PARAM = 'populate';
const FILE = 'plugin::upload.file';
const yes: ReadonlySet<unknown> = new Set([true, 'true', 't', '1', 1]);
const no: ReadonlySet<unknown> = new Set([false, 'false', 'f', '0', 0]);

/**
 * `populate` in any of its forms, as the core reads it: `*`, a list of paths, or an object of requests.
 * @param path of the attributes above
 * @throws AppError invalidInput for names that are nothing to populate (recorded: 12-populate)
 */
export function readPopulate(
  input: unknown,
  model: Model,
  path: string | null = null,
  audience: Audience = 'documents',
): unknown {
  if (input === undefined || input === null || input === '' || input === '*') return input;
  if (isRecord(input)) return readRequests(input, model, path, audience);
  const paths: readonly unknown[] = Array.isArray(input) ? input : [input];
  return paths.flatMap((one) => {
    if (typeof one !== 'string') throw invalidKey(textOf(one), { param: PARAM, path });
    const texts = one.split(',').map((part) => part.trim());
    for (const text of texts) {
      const wrong = wrongName(text.split('.'), model, path, audience);
      if (wrong !== undefined) throw invalidKey(wrong.name, { param: PARAM, path: wrong.path });
    }
    return texts;
  });
}

interface Named {
  readonly name: string;
  readonly path: string;
}

/**
 * The first name of a path such as `author.avatar` that leads nowhere; undefined: there is none. Below a zone a path
 * leads on in any of its components, and may end with any of their attributes; a morph relation is the end of one.
 * Source: `validatePopulateDotPaths` of Strapi 5.54.
 */
function wrongName(
  [name = '', ...rest]: readonly string[],
  model: Model,
  above: string | null,
  audience: Audience,
): Named | undefined {
  const path = below(above, name);
  const attribute = populatable(model, name, audience);
  if (attribute === undefined) return { name, path };
  if (rest.length === 0) return undefined;
  if (attribute.kind !== 'zone') {
    const next = modelBehind(attribute);
    return next === undefined ? { name, path } : wrongName(rest, next, path, audience);
  }
  const [inside = '', ...further] = rest;
  const leadsOn = [...attribute.components.values()].some((component) => {
    const found = readable(component, inside, audience);
    if (found === undefined || further.length === 0) return found !== undefined;
    const next = modelBehind(found);
    return next !== undefined && wrongName(further, next, path, audience) === undefined;
  });
  return leadsOn ? undefined : { name: inside, path: below(path, inside) };
}

function readRequests(input: Data, model: Model, path: string | null, audience: Audience): Data {
  const requests = Object.entries(input).flatMap(([name, value]) => {
    const attribute = populatable(model, name, audience);
    const at = isNamed(model, name, audience) ? below(path, name) : path;
    if (attribute === undefined) throw invalidKey(name, { param: PARAM, path: at });
    return no.has(value) ? [] : [[name, readRequest(value, attribute, model, below(path, name), audience)] as const];
  });
  return Object.fromEntries(requests);
}

/** What is requested of one attribute of a model. */
function readRequest(value: unknown, attribute: Attribute, model: Model, path: string, audience: Audience): Data {
  if (yes.has(value)) return {};
  const target = modelBehind(attribute);
  if (target === undefined) return readMixed(value, attribute, model, path, audience);
  if (value === '*') {
    // To code it means all values (recorded: code/13-populate).
    if (audience !== 'documentCode') refuseAll(target, path, audience);
    return {};
  }
  if (!isRecord(value)) throw invalidKey(textOf(value), { param: PARAM, path });
  return readParameters(value, target, path, audience);
}

/** As recorded, all of a relation is asked for with `populate` below it; its values come without that (12-populate). */
function refuseAll(target: Model, path: string, audience: Audience): void {
  const attributes = [...attributesFor(target, audience).keys()];
  const first = target.uid === FILE ? 'related' : attributes.find((name) => populatable(target, name, audience));
  if (first === undefined) return;
  const at = below(path, first);
  throw new AppError('invalidInput', keyMessage(first, at), { key: first, path: at });
}

/** The parameters of related entries or a component. */
function readParameters(input: Data, target: Model, path: string, audience: Audience): Data {
  const place: Place = { param: PARAM, path, audience };
  const read = Object.entries(input).map(([key, value]) => {
    switch (key) {
      case 'fields':
        return [key, readFields(value, target, place)] as const;
      case 'sort':
        checkSort(value, target, place);
        return [key, value] as const;
      case 'filters':
        checkFilters(value, target, place);
        return [key, value] as const;
      case 'populate':
        return [key, readPopulate(value, target, path, audience)] as const;
      case 'count':
        return [key, value] as const;
      default:
        throw invalidKey(key, { param: PARAM, path: isNamed(target, key, audience) ? below(path, key) : path });
    }
  });
  return Object.fromEntries(read);
}

/** Parameters of a list, which mean nothing for entries or components of several types. */
const ofOneType: ReadonlySet<string> = new Set(['fields', 'filters', 'sort']);

/** The parameters of a zone or a morph relation: all in the same way, or each by its type. */
function readMixed(input: unknown, attribute: Attribute, model: Model, path: string, audience: Audience): Data {
  if (!isRecord(input) || Object.keys(input).some((key) => ofOneType.has(key)))
    throw new AppError(
      'invalidValue',
      `Invalid nested populate for ${nameOf(model)}.${attribute.name} (${model.uid}). ` +
        `Expected a fragment ("on") or "count" but found ${JSON.stringify(input)}`,
    );
  const read = Object.entries(input).map(([key, value]) => {
    if (key === 'on' && isRecord(value)) return [key, readEach(value, attribute, path, audience)] as const;
    if (key === 'count' || (key === 'populate' && (value === '*' || yes.has(value)))) return [key, value] as const;
    throw invalidKey(key, { param: PARAM, path });
  });
  return Object.fromEntries(read);
}

const nameOf = (model: Model): string => (model.kind === 'component' ? model.uid : model.singularName);

function readEach(input: Data, attribute: Attribute, path: string, audience: Audience): Data {
  const each = Object.entries(input).flatMap(([uid, value]) => {
    const model = modelNamed(attribute, uid);
    if (model === undefined) throw invalidKey(uid, { param: PARAM, path: `${path}.on.${uid}` });
    if (no.has(value)) return [];
    if (yes.has(value) || value === '*') return [[uid, {}] as const];
    if (!isRecord(value)) throw invalidKey(textOf(value), { param: PARAM, path });
    return [[uid, readParameters(value, model, path, audience)] as const];
  });
  return Object.fromEntries(each);
}

function modelNamed(attribute: Attribute, uid: string): Model | undefined {
  if (attribute.kind === 'zone') return attribute.components.get(uid);
  return attribute.kind === 'morph' ? attribute.candidates.get(uid) : undefined;
}
