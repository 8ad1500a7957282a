import {
  type Attribute,
  type Attributes,
  type ContentType,
  holdsComponents,
  isLocalized,
  listingOf,
  mapComponents,
  isRecord,
  type Data,
} from 'content-service/plugin';
import { Refused, type CallApi } from './api.js';
import { attributesOf, typeOf, type Proposer, type Step, type Tried } from './plan.js';

/** What a step changes, for people. */
export interface ReadableChange {
  readonly action: Step['action'];
  readonly type: string;
  readonly id?: number | undefined;
  readonly entry?: string | undefined;
  readonly changes: Readonly<Record<string, { readonly before?: unknown; readonly after?: unknown }>>;
}

/** Names of entries by their types and ids. */
type Names = ReadonlyMap<ContentType, ReadonlyMap<number, string>>;

/** The differences that steps make, with the names of related entries. */
export async function readableChanges({ steps, entries }: Tried, by: Proposer): Promise<readonly ReadableChange[]> {
  const typed = steps.map((step) => ({ step, type: typeOf(step, by) }));
  const found = new Map<ContentType, Set<number>>();
  const note: Show = (type, id) => {
    found.set(type, (found.get(type) ?? new Set<number>()).add(id));
    return undefined;
  };
  for (const { step, type } of typed) {
    if (step.action !== 'schedule')
      for (const values of [step.before ?? {}, step.data]) showValues(values, type.attributes, note);
  }
  const names = await readNames(found, by.call);
  const show: Show = (type, id) => `${names.get(type)?.get(id) ?? type.displayName} (${id})`;
  return typed.map(({ step, type }, index) => {
    const { action, uid, id, before = {} } = step;
    const written = attributesOf(entries[index]);
    const title = titleOf(type);
    return {
      action,
      type: uid,
      id,
      entry: title === undefined ? undefined : text(written[title] ?? before[title]),
      changes: action === 'schedule' ? differences(before, step.data) : changesOf(step, type, written, show),
    };
  });
}

/** @param written the values of the entry after the write */
function changesOf(
  { action, before = {}, data }: Step,
  { attributes }: ContentType,
  written: Data,
  show: Show,
): ReadableChange['changes'] {
  const former = showValues(before, attributes, show);
  if (action === 'delete') return differences(former, {});
  const plain = Object.entries(data).map(([name, value]) => {
    const isScalar = attributes.get(name)?.kind === 'scalar';
    return [name, isScalar && name in written ? written[name] : value] as const;
  });
  return differences(former, showValues(Object.fromEntries(plain), attributes, show));
}

function differences(before: Data, after: Data): ReadableChange['changes'] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return Object.fromEntries(
    names.flatMap((name) => {
      const [former, value] = [before[name] ?? null, after[name] ?? null];
      return JSON.stringify(former) === JSON.stringify(value)
        ? []
        : [[name, { before: former, after: value }] as const];
    }),
  );
}

/** What stands for an entry. */
type Show = (type: ContentType, id: number) => unknown;

/** Written values, with something in place of each related entry. */
function showValues(values: Data, attributes: Attributes, show: Show): Data {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      const attribute = attributes.get(name);
      return [name, attribute === undefined ? value : showValue(value, attribute, show)];
    }),
  );
}

function showValue(value: unknown, attribute: Attribute, show: Show): unknown {
  if (attribute.kind === 'scalar') return value;
  if (holdsComponents(attribute))
    return mapComponents(value, attribute, (data, component) => ({
      ...('__component' in data && { __component: data['__component'] }),
      ...showValues(data, component.attributes, show),
    }));
  if (attribute.kind === 'morph') return value;
  return showLinks(value, attribute.target, show);
}

/**
 * Links in every form that a write accepts: ids, objects with an id, lists of both, and `connect`, `disconnect` and
 * `set`.
 */
function showLinks(value: unknown, target: ContentType, show: Show): unknown {
  if (Array.isArray(value)) return value.map((element) => showLinks(element, target, show));
  if (typeof value === 'number') return show(target, value);
  if (!isRecord(value)) return value;
  if (typeof value['id'] === 'number') return show(target, value['id']);
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, key === 'position' ? inner : showLinks(inner, target, show)]),
  );
}

/** The names of entries that the caller may list, one request for each type. */
async function readNames(found: ReadonlyMap<ContentType, ReadonlySet<number>>, call: CallApi): Promise<Names> {
  const names = new Map<ContentType, ReadonlyMap<number, string>>();
  for (const [type, ids] of found) {
    const listing = listingOf(type);
    const title = titleOf(type);
    if (listing === undefined || title === undefined) continue;
    const page =
      type.uid === 'plugin::upload.file'
        ? { limit: MAX_NAMES }
        : { pagination: { pageSize: MAX_NAMES }, publicationState: 'preview' };
    const locale = isLocalized(type) ? { locale: 'all' } : {};
    const query = { filters: { id: { $in: [...ids].slice(0, MAX_NAMES) } }, fields: [title], ...locale, ...page };
    try {
      const { body } = await call({ method: 'GET', path: listing.path, query });
      const entries = [body['data']].flat().filter(isRecord);
      names.set(type, new Map(entries.map((entry) => [entry['id'] as number, text(attributesOf(entry)[title]) ?? ''])));
    } catch (error) {
      // Who may not list them sees their ids only.
      if (!(error instanceof Refused)) throw error;
    }
  }
  return names;
}

const MAX_NAMES = 100;

/** The attribute that names an entry: the first text that is not private. */
export function titleOf({ attributes }: ContentType): string | undefined {
  const texts = [...attributes.values()].filter(
    (attribute) => attribute.kind === 'scalar' && attribute.type === 'string' && !attribute.private,
  );
  return (texts.find(({ name }) => /^(?:title|name)$/i.test(name)) ?? texts[0])?.name;
}

const text = (value: unknown): string | undefined => (typeof value === 'string' ? value.slice(0, 200) : undefined);
