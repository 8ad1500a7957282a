import type { Data } from '../config/record.js';
import type { ContentType, ScalarAttribute } from '../content-types/model/types.js';
import { both, NO_LIMIT, type Filter } from '../query/ast.js';
import { plainEntry } from '../query/entry-presenter.js';
import type { Caller } from './caller.js';
import { emptyQuery, type DocumentsContext } from './context.js';

/** An entry of a document, which has one for each locale. */
export interface IdentifiedEntry {
  readonly id: number;
  readonly documentId: string;
  /** Null: its type is not localized. */
  readonly locale: string | null;
  readonly isDraft: boolean;
}

/** The entries of these documents that exist for the caller, where others are related to them; without a caller all. One command. */
export async function identify(
  { store, visibleTo }: Pick<DocumentsContext, 'store' | 'visibleTo'>,
  type: ContentType,
  documentIds: readonly string[],
  caller?: Caller,
): Promise<readonly IdentifiedEntry[]> {
  const { documentId: field, attributes } = type;
  if (field === undefined || documentIds.length === 0) return [];
  const isNamed: Filter = { kind: 'comparison', field, operator: '$in', operands: documentIds };
  const scalars = ['locale', 'publishedAt'].map((name) => attributes.get(name));
  const { entries } = await store.find({
    ...emptyQuery(type),
    fields: [field, ...scalars.filter((attribute): attribute is ScalarAttribute => attribute?.kind === 'scalar')],
    filter: both(caller && visibleTo(caller)?.(type), isNamed),
    pagination: { form: 'offset', start: 0, limit: NO_LIMIT, withCount: false },
  });
  return entries.map((entry) => {
    const {
      id,
      documentId,
      locale = null,
      publishedAt,
    } = entry(plainEntry) as Partial<IdentifiedEntry> & Pick<IdentifiedEntry, 'id' | 'documentId'> & Data;
    return { id, documentId, locale, isDraft: type.draftAndPublish && publishedAt === null };
  });
}
