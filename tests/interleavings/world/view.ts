import type { Document } from 'mongodb';
import { REVIEW, type StoredReview } from '../../../src/mongo/stored/review.js';
import { SEEDED } from './seed.js';
import type { Attribute, ContentType, Registry } from '../../../src/content-types/model/types.js';

/** All documents of the database, by collection. */
export type Stored = ReadonlyMap<string, readonly Document[]>;

const SYSTEM = new Set(['_copied', '_id', '_rank', '_refs', '_unique', '_live', 'createdAt', 'updatedAt']);

/**
 * Lists the stored entries as clients can see them, computed without the service: entries by their label, related
 * entries by theirs, on both sides and in their order. Ids, ranks and times differ between executions that say the
 * same.
 */
export function viewOf(stored: Stored, { contentTypes }: Registry): string {
  const label = (type: string, id: unknown): string => {
    const { collectionName = '' } = contentTypes.get(type) ?? {};
    const found = stored.get(collectionName)?.find(({ _id }) => _id === id);
    return found === undefined ? `missing ${type} ${String(id)}` : labelOf(found);
  };
  const lines = [...contentTypes.values()].flatMap((type) =>
    (stored.get(type.collectionName) ?? []).map((entry) => {
      const own = Object.entries(entry).flatMap(([name, value]) =>
        SYSTEM.has(name)
          ? []
          : [[name, name === REVIEW ? reviewOf(value) : valueOf(value, type.attributes.get(name), label)] as const],
      );
      const others = [...type.attributes.values()].flatMap((attribute) => {
        const holders = holdersOf(stored, type, attribute, entry['_id']);
        return holders.length === 0 ? [] : [[attribute.name, holders] as const];
      });
      const values = Object.fromEntries([...own, ...others].toSorted(([a], [b]) => (a < b ? -1 : 1)));
      return `${type.collectionName} ${labelOf(entry)} ${JSON.stringify(values)}`;
    }),
  );
  const copies = [...contentTypes.values()].flatMap(({ attributes, copies }) =>
    (stored.get(copies?.collectionName ?? '') ?? []).map((copy) => {
      const changes = [...(copy['_changes'] as readonly string[])].toSorted();
      const values = changes.map((name) => [name, valueOf(copy[name], attributes.get(name), label)]);
      return `copy of ${labelOf(copy)} ${JSON.stringify(values)}`;
    }),
  );
  const deleted = [...contentTypes.values()].flatMap(({ attributes, trash }) =>
    (stored.get(trash?.type.collectionName ?? '') ?? []).map((entry) => {
      const values = Object.entries(entry)
        .flatMap(([name, value]) => {
          const isOwn = !SYSTEM.has(name) && attributes.has(name) && name !== 'publishedAt';
          return isOwn ? [[name, valueOf(value, attributes.get(name), label)] as const] : [];
        })
        .toSorted(([a], [b]) => (a < b ? -1 : 1));
      const links = (entry['_linkedFrom'] as readonly Document[] | undefined) ?? [];
      // The ids of components differ between executions.
      const holders = links.map(({ t, i, a }) => `${t} ${i} ${String(a).replaceAll(/\d+/g, '')}`).toSorted();
      return `trash: ${labelOf(entry)} ${JSON.stringify([...values, holders])}`;
    }),
  );
  return [...lines, ...copies, ...deleted].toSorted().join('\n');
}

/** What somebody asks for; tags and times differ between executions. */
function reviewOf(review: unknown): unknown {
  const { tag, hash, ready, notes } = review as StoredReview;
  return [
    tag === SEEDED ? tag : 'new',
    hash,
    ready === undefined ? 'back' : 'ready',
    notes.map(({ isBack }) => isBack),
  ];
}

/** Ids differ between executions. */
export const labelOf = (entry: Document): string => String(entry['label'] ?? entry['name'] ?? entry['_id']);

type Label = (type: string, id: unknown) => string;

function valueOf(value: unknown, attribute: Attribute | undefined, label: Label): unknown {
  switch (attribute?.kind) {
    case 'relation': {
      const labels = listOf(value).map((id) => label(attribute.target.uid, id));
      // No order of localizations is promised.
      return attribute.name === 'localizations' ? labels.toSorted() : labels;
    }
    case 'morph':
      return listOf(value).map((link) => label(String((link as Document)['__type']), (link as Document)['id']));
    case 'component':
    case 'zone':
      return listOf(value).map((component) => componentOf(component as Document, attribute, label));
    case undefined:
    case 'scalar':
    case 'morphed':
      return value instanceof Date ? 'time' : value;
    default:
      return attribute satisfies never;
  }
}

function componentOf(
  values: Document,
  attribute: Attribute & { readonly kind: 'component' | 'zone' },
  label: Label,
): unknown {
  const component =
    attribute.kind === 'zone' ? attribute.components.get(String(values['__component'])) : attribute.component;
  return Object.fromEntries(
    Object.entries(values)
      .filter(([name]) => name !== 'id')
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, value]) => [name, valueOf(value, component?.attributes.get(name), label)]),
  );
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value]);

/** The entries that hold an entry, in the order of its side. */
function holdersOf(stored: Stored, type: ContentType, attribute: Attribute, id: unknown): readonly string[] {
  if (attribute.kind === 'relation' && attribute.side === 'inverse' && attribute.inverse !== undefined) {
    const name = attribute.inverse;
    const held = (entry: Document): number => listOf(entry[name]).indexOf(id);
    return ordered(stored.get(attribute.target.collectionName) ?? [], (entry) =>
      held(entry) < 0 ? undefined : Number(listOf(entry['_rank']?.[name])[held(entry)] ?? -1),
    );
  }
  if (attribute.kind !== 'morphed') return [];
  const { morphBy, target } = attribute;
  return ordered(stored.get(target.collectionName) ?? [], (entry) =>
    listOf(entry[morphBy] ?? []).some(
      (link) => (link as Document)['__type'] === type.uid && (link as Document)['id'] === id,
    )
      ? Number(entry['_id'])
      : undefined,
  );
}

const ordered = (entries: readonly Document[], rankOf: (entry: Document) => number | undefined): readonly string[] =>
  entries
    .flatMap((entry) => {
      const rank = rankOf(entry);
      return rank === undefined ? [] : [{ rank, id: Number(entry['_id']), label: labelOf(entry) }];
    })
    .toSorted((a, b) => a.rank - b.rank || a.id - b.id)
    .map(({ label }) => label);
