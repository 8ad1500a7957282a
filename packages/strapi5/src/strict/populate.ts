import { attributesFor, textOf, type Model } from 'content-service/content-api';
import { AppError, isRecord, type Attribute, type Audience, type Data } from 'content-service/plugin';
import { checkFilters } from './filters.js';
import { readFields } from './fields.js';
import { below, invalidKey, keyMessage, type Place } from './invalid-key.js';
import { isNamed, modelBehind, populatable, readable } from './names.js';
import { checkSort } from './sort.js';

const PARAM = 'populate';
const FILE = 'plugin::upload.file';
const yes: ReadonlySet<unknown> = new Set([true, 'true', 't', '1', 1]);
const no: ReadonlySet<unknown> = new Set([false, 'false', 'f', '0', 0]);

/** Where a request is: the attributes that lead to it, and all names, of which Strapi 5 tells one or the other. */
interface Way {
  readonly attributes: string | null;
  readonly names: string | null;
}

const start: Way = { attributes: null, names: null };

/** The way to an attribute. */
const wayTo = ({ attributes, names }: Way, name: string): Way => ({
  attributes: below(attributes, name),
  names: below(names, name),
});

/** The way to what is requested by a word such as `populate`, which is no attribute. */
const wayInto = (way: Way, word: string): Way => ({ ...way, names: below(way.names, word) });

/**
 * `populate` in any of its forms, as the core reads it: `*`, a list of paths, or an object of requests.
 * @throws AppError invalidInput for names that are nothing to populate (recorded: 12-populate)
 */
export const readPopulate = (input: unknown, model: Model, audience: Audience = 'documents'): unknown =>
  readAt(start, input, model, audience);

function readAt(way: Way, input: unknown, model: Model, audience: Audience): unknown {
  if (input === undefined || input === null || input === '' || input === '*') return input;
  if (isRecord(input)) return readRequests(input, model, way, audience);
  const paths: readonly unknown[] = Array.isArray(input) ? input : [input];
  return paths.flatMap((one) => {
    if (typeof one !== 'string') throw invalidKey(textOf(one), { param: PARAM, path: way.attributes });
    const texts = one.split(',').map((part) => part.trim());
    for (const text of texts) {
      // Of what is above, the message says nothing. Source: `validatePopulateDotPaths` of Strapi 5.54.
      const wrong = wrongName(text.split('.'), model, null, audience);
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
    // What files are related to is no part of a path.
    return next === undefined || next.uid === FILE ? { name, path } : wrongName(rest, next, path, audience);
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

function readRequests(input: Data, model: Model, way: Way, audience: Audience): Data {
  const requests = Object.entries(input).flatMap(([name, value]) => {
    const attribute = populatable(model, name, audience);
    const to = wayTo(way, name);
    if (attribute === undefined) throw invalidKey(name, { param: PARAM, path: pathOf(name, model, way, audience) });
    return no.has(value) ? [] : [[name, readRequest(value, attribute, model, to, audience)] as const];
  });
  return Object.fromEntries(requests);
}

/** Where a name is that cannot be populated: a message has all names above a value, and attributes above the others. */
function pathOf(name: string, model: Model, way: Way, audience: Audience): string | null {
  if (!isNamed(model, name, audience)) return way.attributes;
  const { attributes, names } = wayTo(way, name);
  return readable(model, name, audience)?.kind === 'scalar' ? names : attributes;
}

/** What is requested of one attribute of a model. */
function readRequest(value: unknown, attribute: Attribute, model: Model, way: Way, audience: Audience): Data {
  if (yes.has(value)) return {};
  const target = modelBehind(attribute);
  if (target === undefined) return readMixed(value, attribute, model, way, audience);
  if (value === '*') {
    // To code it means all values (recorded: code/13-populate).
    if (audience !== 'documentCode') refuseAll(target, way.attributes, audience);
    return {};
  }
  if (!isRecord(value)) throw unknownParameter(textOf(value), target, way, audience);
  return readParameters(value, target, way, audience);
}

const unknownParameter = (name: string, target: Model, { attributes }: Way, audience: Audience): AppError =>
  invalidKey(name, { param: PARAM, path: isNamed(target, name, audience) ? below(attributes, name) : attributes });

/** As recorded, all of a relation is asked for with `populate` below it; its values come without that (12-populate). */
function refuseAll(target: Model, path: string | null, audience: Audience): void {
  const attributes = [...attributesFor(target, audience).keys()];
  const first = target.uid === FILE ? 'related' : attributes.find((name) => populatable(target, name, audience));
  if (first === undefined) return;
  const at = below(path, first);
  throw new AppError('invalidInput', keyMessage(first, at), { key: first, path: at });
}

/** The parameters of related entries or a component. Names in them are told without what leads there. */
function readParameters(input: Data, target: Model, way: Way, audience: Audience): Data {
  const place: Place = { param: PARAM, path: null, audience };
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
        return [key, readAt(wayInto(way, key), value, target, audience)] as const;
      case 'count':
        if (!yes.has(value) && !no.has(value)) throw unknownParameter(key, target, way, audience);
        return [key, value] as const;
      default:
        throw unknownParameter(key, target, way, audience);
    }
  });
  return Object.fromEntries(read);
}

/** What can be asked of entries or components of several types. */
const ofAllTypes: ReadonlySet<string> = new Set(['populate', 'on', 'count']);

/** The parameters of a zone or a morph relation: all in the same way, or each by its type. */
function readMixed(input: unknown, attribute: Attribute, model: Model, way: Way, audience: Audience): Data {
  const found = isRecord(input) ? input : {};
  const { populate, on } = found;
  if (populate !== undefined && populate !== null && populate !== '*')
    throw invalidKey('populate', { param: PARAM, path: way.names });
  if (on !== undefined && !isRecord(on)) throw invalidKey('on', { param: PARAM, path: below(way.names, 'on') });
  if (!isRecord(input) || Object.keys(input).some((key) => !ofAllTypes.has(key)))
    throw new AppError(
      'invalidValue',
      `Invalid nested populate for ${nameOf(model)}.${attribute.name} (${model.uid}). ` +
        `Expected a fragment ("on") or "count" but found ${JSON.stringify(input)}`,
    );
  return { ...input, ...(isRecord(on) && { on: readEach(on, attribute, wayInto(way, 'on'), audience) }) };
}

const nameOf = (model: Model): string => (model.kind === 'component' ? model.uid : model.singularName);

function readEach(input: Data, attribute: Attribute, way: Way, audience: Audience): Data {
  const each = Object.entries(input).flatMap(([uid, value]) => {
    const model = modelNamed(attribute, uid);
    if (model === undefined) throw invalidKey(uid, { param: PARAM, path: below(way.names, uid) });
    if (no.has(value)) return [];
    if (yes.has(value) || value === '*') return [[uid, {}] as const];
    if (!isRecord(value)) throw unknownParameter(textOf(value), model, way, audience);
    return [[uid, readParameters(value, model, { ...way, names: `${way.names}[${uid}]` }, audience)] as const];
  });
  return Object.fromEntries(each);
}

function modelNamed(attribute: Attribute, uid: string): Model | undefined {
  if (attribute.kind === 'zone') return attribute.components.get(uid);
  return attribute.kind === 'morph' ? attribute.candidates.get(uid) : undefined;
}
