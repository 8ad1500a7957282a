import { DOCUMENT_ID } from '../../../../content-types/model/system-attributes.js';
import type { ContentType } from '../../../../content-types/model/types.js';
import type { DocumentIds } from '../../../../mongo/document-ids.js';
import type { StoredDocument } from '../../../../mongo/maintenance/extended-json-lines.js';
import { groupOf } from '../../../../mongo/stored/document-id.js';

/**
 * An entry as it is imported, with the `documentId` that it brings, or that of the first of its localizations;
 * unchanged if its type has none.
 */
export async function withDocumentId(
  type: ContentType,
  document: StoredDocument,
  documentIds: DocumentIds,
): Promise<StoredDocument> {
  if (type.documentId === undefined || document[DOCUMENT_ID] !== undefined) return document;
  const founder = Math.min(...groupOf({ ...document, _id: Number(document._id) }));
  return { ...document, [DOCUMENT_ID]: await documentIds.derive(type, founder) };
}
