import type { GraphqlContext } from '../../plugins/contract/graphql/parts.js';

/** A context with more in it, which asks for the caller each time as the given one does: code can change who calls. */
export const extendContext = <Parts extends object>(context: GraphqlContext, parts: Parts): GraphqlContext & Parts =>
  Object.assign(Object.defineProperties({}, Object.getOwnPropertyDescriptors(context)) as GraphqlContext, parts);
