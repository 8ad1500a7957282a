import type { Data } from '../config/record.js';
import type { ContentType, ScalarAttribute } from '../content-types/model/types.js';
import { both, NO_LIMIT, type Filter } from '../query/ast.js';
import { plainEntry } from '../query/entry-presenter.js';
import type { Caller } from './caller.js';
import { emptyQuery, type DocumentsContext } from './context.js';
import type { Action } from './interceptors.js';

/** An entry of a document, which has one for each locale. */
export interface IdentifiedEntry {
  readonly id: number;
  readonly documentId: string;
  /** Null: its type is not localized. */
  readonly locale: string | null;
  readonly isDraft: boolean;
}

/** Who asks for the entries of documents, and the action that is meant; without one, entries are related to them. */
export interface Asker {
  readonly caller: Caller;
  readonly action?: Action;
}

/**
 * The entries of these documents, or without a list all of a single type, that exist for who asks; for nobody they all
 * do. One command, so that its time does not tell of entries that are hidden.
 */
export async function identify(
  context: Pick<DocumentsContext, 'store' | 'visibleTo' | 'limitOf'>,
  type: ContentType,
  documentIds: readonly string[] | undefined,
  asker?: Asker,
): Promise<readonly IdentifiedEntry[]> {
  const { documentId: field, attributes } = type;
  if (field === undefined || documentIds?.length === 0) return [];
  const isNamed: Filter | undefined = documentIds && {
    kind: 'comparison',
    field,
    operator: '$in',
    operands: documentIds,
  };
  const scalars = ['locale', 'publishedAt'].map((name) => attributes.get(name));
  const { entries } = await context.store.find({
    ...emptyQuery(type),
    fields: [field, ...scalars.filter((attribute): attribute is ScalarAttribute => attribute?.kind === 'scalar')],
    filter: both(asker && existingFor(context, type, asker), isNamed),
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

const existingFor = (
  { visibleTo, limitOf }: Pick<DocumentsContext, 'visibleTo' | 'limitOf'>,
  type: ContentType,
  { caller, action }: Asker,
): Filter | undefined => (action === undefined ? visibleTo(caller)?.(type) : limitOf(type, action, caller));
