import lodash from 'lodash';
import { isRecord } from '../../config/record.js';
import { hasRules } from '../../documents/caller.js';
import { AppError } from '../../errors/app-error.js';
import type { GraphqlDocuments, ObservedWrite } from '../../plugins/contract/graphql/project.js';
import type { Writes } from './field-writes.js';

/**
 * The mutations of a schema as calls of `strapi.documents`, around which code of Strapi 5 has middlewares and events.
 * Relations of the entry are read when their field is resolved.
 */
export function documentWrites(documents: GraphqlDocuments): Writes {
  const written =
    (action: ObservedWrite['action']): Writes[keyof Writes] =>
    async ({ uid }, args, { caller }) => {
      if (hasRules(caller))
        throw new AppError('forbidden', `Code of the project takes part in ${action} of ${uid}, and knows no rules`);
      // The objects of graphql have no prototype; those of JSON do.
      return documents.write({ uid, action, params: lodash.cloneDeep(args), caller });
    };
  const update = written('update');
  const remove = written('delete');
  return {
    create: written('create'),
    update,
    updateSingle: update,
    // Nothing says whether there was one.
    delete: async (...field) => {
      await remove(...field);
      const [, args] = field;
      return { documentId: args['documentId'] };
    },
    deleteSingle: async (...field) => {
      const deleted = await remove(...field);
      if (!isRecord(deleted) || deleted['documentId'] === undefined)
        throw new AppError('notFound', 'Document not found');
      return { documentId: deleted['documentId'] };
    },
  };
}
