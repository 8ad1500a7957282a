import { morphTypeOf, keepMorphType } from '../../../query/morph-type.js';
import type { Model, Named } from '../../strapi.js';
import { type FindModel, modelOf } from './traverse-entity.js';

/** Content types and components by uid, and the caller's permissions. */
export interface Sanitizing {
  readonly getModel: FindModel;
  /** The names of ids, which are no attributes: every query can have them. */
  readonly ids: ReadonlySet<string>;
  /** Whether the caller may read entries of this type. */
  readonly mayFind: (uid: string) => boolean;
}

type Clean = (value: unknown, attribute: Named, sanitizing: Sanitizing) => unknown;

const remove = Symbol('remove');

/** The conversion of values by the type of their attribute; others are unchanged. */
const cleaners: Readonly<Record<string, Clean>> = {
  password: () => remove,
  relation: (value, attribute, sanitizing) => {
    const { target } = attribute;
    if (target === undefined) return cleanMorph(value, sanitizing);
    const open = target === 'admin::user' || sanitizing.mayFind(String(target));
    return open ? cleanValue(value, attribute, sanitizing) : remove;
  },
  media: cleanValue,
  component: cleanValue,
  dynamiczone: (value, attribute, sanitizing) =>
    Array.isArray(value) ? value.map((part: unknown) => cleanValue(part, attribute, sanitizing)) : value,
};

/** A related entry or a component, or a list of those that have the same model. */
function cleanValue(value: unknown, attribute: Named, sanitizing: Sanitizing): unknown {
  return cleanEntry(value, modelOf(attribute, value, sanitizing.getModel), sanitizing);
}

/**
 * A target without its type is left out: nothing says what a client must not see of it. As recorded, an empty list is
 * left out, too.
 */
function cleanMorph(value: unknown, sanitizing: Sanitizing): unknown {
  const cleanOne = (entry: unknown): unknown[] => {
    const uid = morphTypeOf(entry);
    if (uid === undefined || !sanitizing.mayFind(uid)) return [];
    return [cleanEntry(entry, sanitizing.getModel(uid), sanitizing)];
  };
  if (!Array.isArray(value)) return cleanOne(value)[0] ?? null;
  const targets = value.flatMap(cleanOne);
  return targets.length === 0 ? remove : targets;
}

/** As REST: the users of a role. */
const isNeverReturned = (attribute: Named | undefined): boolean =>
  attribute?.['pluginOptions']?.['content-api']?.populate === false;

/** Entries without what a client must not see: passwords, private attributes, types that it may not list. */
export function cleanEntry(entry: unknown, model: Model | undefined, sanitizing: Sanitizing): unknown {
  if (Array.isArray(entry)) return entry.map((element) => cleanEntry(element, model, sanitizing));
  if (typeof entry !== 'object' || entry === null || model === undefined) return entry;
  const hidden = new Set<string>((model.options['privateAttributes'] as string[] | undefined) ?? []);
  const cleaned: Named = keepMorphType(entry, {});
  for (const [name, value] of Object.entries(entry as Named)) {
    const attribute = model.attributes[name];
    if (hidden.has(name) || attribute?.['private'] === true || isNeverReturned(attribute)) continue;
    const clean = attribute === undefined ? undefined : cleaners[String(attribute['type'])];
    const left = clean === undefined || attribute === undefined ? value : clean(value, attribute, sanitizing);
    if (left !== remove) cleaned[name] = left;
  }
  return cleaned;
}
