import lodash from 'lodash';
import type { ContentType } from '../../content-types/model/types.js';
import type { AnsweredAction } from '../../plugins/contract/answerer.js';
import type { CodeForm, DocumentAction, DocumentCall } from '../../plugins/contract/code-form.js';
import { isRecord } from '../../config/record.js';
import { CLIENT } from '../../plugins/contract/application.js';
import type { GraphqlDocuments, ObservedRead, ObservedWrite } from '../../plugins/contract/graphql/project.js';
import type { Anything, Lifecycles, Named, StrapiContext } from '../strapi.js';
import { codeFormOf } from './code-form.js';
import { createMessages } from './document-messages.js';
import { answered } from './row-events.js';

/** What a middleware of `strapi.documents` gets (recorded: code/54-middlewares-at-run-time). */
interface MiddlewareContext {
  readonly uid: string;
  readonly action: DocumentAction;
  params: Anything;
  readonly contentType: Anything;
}

type DocumentMiddleware = (context: MiddlewareContext, next: () => Promise<unknown>) => unknown;

/** `strapi.documents(uid)`. */
export type Repository = Readonly<Partial<Record<DocumentAction, ((params?: Named) => Promise<Anything>) | undefined>>>;

export interface StrapiDocuments extends GraphqlDocuments {
  (uid: string): Repository;
  /** Adds a middleware around all calls, and returns a function that removes it. */
  use(middleware: DocumentMiddleware): () => void;
  /** Whether there are middlewares, or for a write listeners to its events. */
  readonly isUsed: (action: AnsweredAction) => boolean;
}

const actions: readonly DocumentAction[] = [
  'findMany',
  'findFirst',
  'findOne',
  'count',
  'create',
  'update',
  'delete',
  'clone',
];
const ofDrafts: readonly DocumentAction[] = ['publish', 'unpublish', 'discardDraft'];

type Read = Parameters<GraphqlDocuments['around']>[1];

/** The calls of a read that the caller does itself. */
function readingBy(form: CodeForm, read: Read): CodeForm {
  const reads = async ({ params }: DocumentCall): Promise<unknown> => read(params);
  return { ...form, documents: { ...form.documents, findMany: reads, findFirst: reads, findOne: reads } };
}

/** The document of a single type, in whatever locale. */
export async function documentIdOfSingle({ findMany }: Repository): Promise<unknown> {
  const [first] = ((await findMany?.({ locale: '*', fields: ['documentId'], limit: 1 })) ?? []) as readonly Named[];
  return first?.['documentId'];
}

const isRead = (action: AnsweredAction): boolean => action === 'find' || action === 'findOne';

/**
 * `strapi.documents`: middlewares in the order in which they were added, around lifecycle events, around the reads and
 * writes of Strapi 5's API.
 */
export function createDocumentsOfCode(context: StrapiContext, lifecycles: Lifecycles): StrapiDocuments {
  const { strapi } = context;
  const middlewares: DocumentMiddleware[] = [];
  const { isObserved } = lifecycles;
  const messages = createMessages(context);
  const isObservedType = (uid: string): boolean =>
    (['find', 'create', 'update', 'delete'] as const).some((action) => isObserved(uid, action));
  const typeOf = (uid: string): ContentType => {
    const type = context.runtime('strapi.documents').registry.contentTypes.get(uid);
    if (type?.documentId === undefined) throw new Error(`strapi.documents: "${uid}" is no content type with documents`);
    return type;
  };
  const call = async (uid: string, action: DocumentAction, given: unknown, read?: Read): Promise<unknown> => {
    const passed: MiddlewareContext = { uid, action, params: given ?? {}, contentType: strapi.contentType(uid) };
    const service = async (): Promise<unknown> =>
      answered(
        {
          form: read === undefined ? codeFormOf(context) : readingBy(codeFormOf(context), read),
          lifecycles,
          strapi,
          isObserved: isObservedType,
          messages,
        },
        typeOf(uid),
        action,
        passed.params as Named,
      );
    const from = async (index: number): Promise<unknown> => {
      const middleware = middlewares[index];
      return middleware === undefined ? service() : middleware(passed, async () => from(index + 1));
    };
    return from(0);
  };
  const repositoryOf = lodash.memoize((uid: string): Repository => {
    const model = strapi.contentType(uid);
    if (model === undefined) throw new Error(`strapi.documents: unknown content type "${uid}"`);
    const hasDrafts = model.options['draftAndPublish'] === true;
    return Object.fromEntries(
      [...actions, ...ofDrafts].map((action) => [
        action,
        actions.includes(action) || hasDrafts
          ? async (params?: Named): Promise<unknown> => call(uid, action, params)
          : undefined,
      ]),
    );
  });
  return Object.assign((uid: string) => repositoryOf(uid), {
    use: (middleware: DocumentMiddleware) => {
      middlewares.push(middleware);
      return (): void => void lodash.pull(middlewares, middleware);
    },
    around: async ({ uid, action, params }: ObservedRead, read: Read) => call(uid, action, params, read),
    write: async ({ uid, action, params, caller }: ObservedWrite) => {
      const { data } = params;
      if (isRecord(data)) codeFormOf(context).checkData(data, typeOf(uid), caller);
      const isSingle = strapi.contentType(uid)?.kind === 'singleType';
      const documentId = isSingle ? await documentIdOfSingle(repositoryOf(uid)) : params['documentId'];
      if (isSingle && documentId === undefined && action === 'delete') return null;
      const done = action === 'update' && documentId === undefined ? 'create' : action;
      return call(uid, done, { ...params, documentId, [CLIENT]: caller });
    },
    isUsed: (action: AnsweredAction) => middlewares.length > 0 || (!isRead(action) && messages.isHeard()),
  });
}
