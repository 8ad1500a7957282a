import type { Data } from '../../../../config/record.js';
import { DOCUMENT_ID } from '../../../../content-types/model/system-attributes.js';
import type { ContentType } from '../../../../content-types/model/types.js';
import { componentsBelow } from '../../../../content-types/model/walk.js';
import { entityOf, type Encoding, type Link, type Row } from './entity-of.js';
import type { Template } from './read-template.js';
import type { StoredIds } from './stored-ids.js';

interface Numbering {
  readonly template: Pick<Template, 'schemas' | 'version'>;
  /** The stored ids of each type. */
  readonly ids: ReadonlyMap<string, StoredIds>;
  /** The last id of each component. */
  readonly lastComponents: ReadonlyMap<string, number>;
  readonly contentTypes: ReadonlyMap<string, ContentType>;
}

/** The rows of a stored entry. @param copy its working copy */
export type RowsOf = (type: ContentType, document: Data, copy: Data | undefined) => readonly Row[];

/** How entries become rows of the version of Strapi that the template is of. */
export const createRowsOf = (numbering: Numbering): RowsOf =>
  numbering.template.version === 5 ? rowsOfStrapi5(numbering) : rowsOfStrapi4(numbering);

function rowsOfStrapi4({ template: { schemas }, ids }: Numbering): RowsOf {
  const targetsOf = (type: string, id: number): readonly number[] => (ids.get(type)?.set.has(id) === true ? [id] : []);
  const encoding: Encoding = { schemas, targetsOf, componentIdOf: (_, id) => id, linksLocalizations: true };
  return (type, document) => [entityOf(type, document, Number(document['_id']), encoding)];
}

/**
 * In Strapi 5 a published entry of a type with drafts is two rows: that of its draft, which is its working copy if it
 * has one, and the published one, which keeps the number of the entry. Drafts lead to drafts, published rows to
 * published ones, and rows of types without drafts to both.
 */
function rowsOfStrapi5({ template: { schemas }, ids, lastComponents, contentTypes }: Numbering): RowsOf {
  const isLive = (type: string, id: number): boolean => ids.get(type)?.live.has(id) === true;
  const draftRow = (type: string, id: number): number => (isLive(type, id) ? (ids.get(type)?.last ?? 0) + id : id);
  const rowsTo =
    (ofDrafts: (type: string, id: number) => readonly number[]) =>
    (type: string, id: number): readonly number[] => {
      if (ids.get(type)?.set.has(id) !== true) return [];
      return contentTypes.get(type)?.draftAndPublish === true ? ofDrafts(type, id) : [id];
    };
  const toPublished = (type: string, id: number): readonly number[] => (isLive(type, id) ? [id] : []);
  const own = { schemas, componentIdOf: (_: string, id: number) => id, linksLocalizations: false };
  const published: Encoding = { ...own, targetsOf: rowsTo(toPublished) };
  const drafts: Encoding = { ...own, targetsOf: rowsTo((type, id) => [draftRow(type, id)]) };
  const both: Encoding = {
    ...own,
    targetsOf: rowsTo((type, id) => [...new Set([draftRow(type, id), ...toPublished(type, id)])]),
  };
  // Each row has components of its own.
  const besidePublished = (type: ContentType, document: Data): Encoding => {
    const components = [...componentsBelow(document, type.attributes)];
    const ofPublished = new Set(components.map(({ data, component }) => `${component.uid} ${String(data['id'])}`));
    const componentIdOf = (uid: string, id: number): number =>
      ofPublished.has(`${uid} ${id}`) ? (lastComponents.get(uid) ?? 0) + id : id;
    return { ...drafts, componentIdOf };
  };
  const rowOf = (type: ContentType, document: Data, id: number, encoding: Encoding, isPublished: boolean): Row => {
    const { entity, links } = entityOf(type, document, id, encoding);
    const { [DOCUMENT_ID]: documentId } = document;
    const { publishedAt, updatedAt } = entity.data;
    const data = {
      locale: null,
      ...entity.data,
      documentId,
      publishedAt: isPublished ? (publishedAt ?? updatedAt) : null,
    };
    return { entity: { ...entity, data }, links: [...links, localizationsOf(type.uid, id, String(documentId))] };
  };
  return (type, document, copy) => {
    const id = Number(document['_id']);
    if (!type.draftAndPublish) return [rowOf(type, document, id, both, true)];
    if (!isLive(type.uid, id)) return [rowOf(type, document, id, drafts, false)];
    return [
      rowOf(type, copy ?? document, draftRow(type.uid, id), besidePublished(type, document), false),
      rowOf(type, document, id, published, true),
    ];
  };
}

/** Rows of one documentId are localizations. */
const localizationsOf = (type: string, row: number, documentId: string): Link => ({
  kind: 'relation.circular',
  relation: 'oneToMany',
  left: { type, ref: row, field: 'localizations' },
  right: { type, ref: documentId },
});
