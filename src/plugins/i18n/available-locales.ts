import { isLocalized } from '../../content-types/model/localized.js';
import type { ContentType } from '../../content-types/model/types.js';
import type { Interceptor } from '../../documents/interceptors.js';
import type { PopulateNode, Selection } from '../../query/ast.js';

/**
 * Lets entries of localized types tell their other localizations, at every level. Our own code and what morphs lead to
 * have no place for it.
 * @param wanted whether the project wants it at all
 */
export const addAvailableLocales =
  (wanted: () => boolean): Interceptor =>
  (query, { caller }) =>
    caller.kind === 'system' || !wanted() ? query : tell(query, query.type);

const tell = <S extends Selection>(selection: S, type: ContentType): S => ({
  ...within(selection),
  ...(isLocalized(type) && { availableLocales: true }),
});

const within = <S extends Selection>(selection: S): S => ({ ...selection, populate: selection.populate.map(tellNode) });

function tellNode(node: PopulateNode): PopulateNode {
  switch (node.kind) {
    case 'relation':
      return { ...node, query: tell(node.query, node.attribute.target) };
    case 'morph':
      return node;
    case 'component':
      return { ...node, selection: within(node.selection) };
    case 'zone':
      return { ...node, on: new Map([...node.on].map(([uid, selection]) => [uid, within(selection)])) };
    default:
      return node satisfies never;
  }
}
