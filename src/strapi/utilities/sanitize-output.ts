import type { Model, Named } from '../strapi.js';

/** Content types and components by uid, and what the caller may do. */
export interface Sanitizing {
  readonly contentType: (uid: string) => Model | undefined;
  readonly component: (uid: string) => Model | undefined;
  /** May the caller see entries of this type? */
  readonly mayFind: (uid: string) => boolean;
}

type Clean = (value: unknown, attribute: Named, sanitizing: Sanitizing) => unknown;

const remove = Symbol('remove');

/** What becomes of values by the type of their attribute; others stay as they are. */
const cleaners: Readonly<Record<string, Clean>> = {
  password: () => remove,
  relation: (value, { target }, sanitizing) => {
    if (target === undefined) return cleanMorph(value, sanitizing);
    const open = target === 'admin::user' || sanitizing.mayFind(String(target));
    return open ? cleanEntry(value, sanitizing.contentType(String(target)), sanitizing) : remove;
  },
  media: (value, _attribute, sanitizing) =>
    cleanEntry(value, sanitizing.contentType('plugin::upload.file'), sanitizing),
  component: (value, { component }, sanitizing) =>
    cleanEntry(value, sanitizing.component(String(component)), sanitizing),
  dynamiczone: (value, _attribute, sanitizing) =>
    Array.isArray(value)
      ? value.map((part: Named) => cleanEntry(part, sanitizing.component(String(part['__component'])), sanitizing))
      : value,
};

function cleanMorph(value: unknown, sanitizing: Sanitizing): unknown {
  const one = (entry: unknown): unknown[] => {
    const uid = (entry as Named | null)?.['__type'] as string | undefined;
    if (uid === undefined || !sanitizing.mayFind(uid)) return [];
    return [cleanEntry(entry, sanitizing.contentType(uid), sanitizing)];
  };
  return Array.isArray(value) ? value.flatMap(one) : one(value)[0];
}

/** Leaves out of an entry, or of a list of them, what a client must not see: passwords, what is private, what they may not list. */
export function cleanEntry(entry: unknown, model: Model | undefined, sanitizing: Sanitizing): unknown {
  if (Array.isArray(entry)) return entry.map((one) => cleanEntry(one, model, sanitizing));
  if (typeof entry !== 'object' || entry === null || model === undefined) return entry;
  const hidden = new Set<string>((model.options['privateAttributes'] as string[] | undefined) ?? []);
  const cleaned: Named = {};
  for (const [name, value] of Object.entries(entry as Named)) {
    const attribute = model.attributes[name];
    if (hidden.has(name) || attribute?.['private'] === true) continue;
    const clean = attribute === undefined ? undefined : cleaners[String(attribute['type'])];
    const left = clean === undefined || attribute === undefined ? value : clean(value, attribute, sanitizing);
    if (left !== remove) cleaned[name] = left;
  }
  return cleaned;
}
