import type { Db, Document } from 'mongodb';
import { attributeTypes, type StoredShape } from '../../content-types/model/attribute-types.js';
import type { Attributes, ContentType } from '../../content-types/model/types.js';
import { allowedComponents } from '../../content-types/model/walk.js';
import { mayRefer } from '../compile/write/reference-removal.js';
import { idOfReference, isIndexed, REFERENCE_TARGETS, referencesTo } from '../stored/relation.js';
import { readBatch } from './read-batch.js';

/** What leads to entries from those of other types, each question about all entries. */
export interface UseReader {
  /** The ids of the entries of a type to which relations of the holders lead, found by indexes. */
  readonly usedIds: (holders: readonly ContentType[], target: ContentType) => Promise<ReadonlySet<number>>;
  /**
   * The parts of the paths of addresses in texts and JSON, e.g. `uploads` and `mill.png` of `/uploads/mill.png`. Every
   * text is read.
   */
  readonly namesInAddresses: (holders: readonly ContentType[]) => Promise<ReadonlySet<string>>;
}

/** @param timeout of each command in milliseconds; there is one for each type and relation */
export function createUseReader(db: Db, timeout: number): UseReader {
  const values = async <T>({ collectionName }: ContentType, pipeline: readonly Document[]): Promise<readonly T[]> =>
    (await readBatch<{ readonly _id: T }>(db, { aggregate: collectionName, pipeline }, timeout)).map(({ _id }) => _id);
  return {
    usedIds: async (holders, target) => {
      const ids = new Set<number>();
      for (const type of holders) {
        const attributes = [...type.attributes.values()];
        for (const attribute of attributes.filter(isIndexed)) {
          if (attribute.target !== target) continue;
          for (const id of await values<number>(type, distinct(attribute.name, { $exists: true }))) ids.add(id);
        }
        if (!attributes.some((attribute) => mayRefer(attribute, target))) continue;
        for (const reference of await values<string>(type, distinct(REFERENCE_TARGETS, referencesTo(target))))
          ids.add(idOfReference(reference));
      }
      return ids;
    },
    namesInAddresses: async (holders) => {
      const names = new Set<string>();
      for (const type of holders) {
        const paths = textPaths(type.attributes);
        if (paths.length === 0) continue;
        for (const name of await values<string>(type, namesIn(paths))) names.add(name);
      }
      return names;
    },
  };
}

/** The values at a path that match a condition, each once. */
const distinct = (path: string, condition: Document): readonly Document[] => [
  { $match: { [path]: condition } },
  { $project: { _id: 0, value: `$${path}` } },
  { $unwind: '$value' },
  // A list that has a match has other values, too.
  { $match: { value: condition } },
  { $group: { _id: '$value' } },
];

/** What follows a slash, up to a sign that ends an address or a part of its path. */
const PART = String.raw`/([^/?#&"'()<>\[\]\s\\]+)`;

/** Of texts at these paths. A component in each list of components makes a list of lists. */
function namesIn(paths: readonly (readonly string[])[]): readonly Document[] {
  const depth = Math.max(...paths.map(({ length }) => length));
  return [
    { $project: { _id: 0, text: paths.map((path) => `$${path.join('.')}`) } },
    ...Array.from({ length: depth }, () => ({ $unwind: '$text' })),
    { $match: { text: { $regex: '/' } } },
    { $project: { part: { $regexFindAll: { input: '$text', regex: PART } } } },
    { $unwind: '$part' },
    { $group: { _id: { $arrayElemAt: ['$part.captures', 0] } } },
  ];
}

/** The paths of texts and of JSON, which is stored as text. The components of a zone have some in common. */
function textPaths(attributes: Attributes): readonly (readonly string[])[] {
  const paths = [...attributes.values()].flatMap((attribute): readonly (readonly string[])[] => {
    if (attribute.kind === 'scalar')
      return textShapes.has(attributeTypes[attribute.type].shape) ? [[attribute.name]] : [];
    return allowedComponents(attribute).flatMap((component) =>
      textPaths(component.attributes).map((path) => [attribute.name, ...path]),
    );
  });
  return [...new Map(paths.map((path) => [path.join('.'), path])).values()];
}

const textShapes: ReadonlySet<string> = new Set(['string', 'json', 'list'] satisfies readonly StoredShape[]);
