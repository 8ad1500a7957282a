import {
  BREAK,
  isObjectType,
  OperationTypeNode,
  TypeInfo,
  visit,
  visitWithTypeInfo,
  type DocumentNode,
  type GraphQLSchema,
} from 'graphql';
import { memoize } from '../../query/memoize.js';

/**
 * Whether the responses to a valid document depend on nothing but entries: it has only queries, of fields with
 * generated resolvers or none.
 * @param generated the paths of these resolvers, e.g. `Query.articles`
 */
export function createIsCacheable(
  schema: GraphQLSchema,
  generated: ReadonlySet<string>,
): (document: DocumentNode) => boolean {
  return memoize((document) => {
    const types = new TypeInfo(schema);
    let isCacheable = true;
    const refuse = (): typeof BREAK => {
      isCacheable = false;
      return BREAK;
    };
    visit(
      document,
      visitWithTypeInfo(types, {
        OperationDefinition: ({ operation }) => (operation === OperationTypeNode.QUERY ? undefined : refuse()),
        Field: ({ name }) => {
          if (name.value === '__typename') return undefined;
          const type = types.getParentType();
          const resolve = types.getFieldDef()?.resolve;
          // An object type may have another resolver than its interface.
          const isKnown = resolve === undefined || generated.has(`${type?.name}.${name.value}`);
          return isKnown && isObjectType(type) && !type.isTypeOf ? undefined : refuse();
        },
      }),
    );
    return isCacheable;
  });
}
