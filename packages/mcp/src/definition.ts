import type { ContentTypeDefinition, Defined } from 'content-service/plugin';

/** A change that an assistant has shown, and may apply until it expires. */
export const proposal: Defined<ContentTypeDefinition> = {
  uid: 'admin::mcp-proposal',
  file: 'plugin mcp',
  definition: {
    kind: 'collectionType',
    collectionName: 'mcp_proposals',
    info: { singularName: 'mcp-proposal', pluralName: 'mcp-proposals', displayName: 'Proposal' },
    attributes: {
      key: { type: 'string', required: true, unique: true },
      /** The caller who may apply it. */
      owner: { type: 'string', required: true },
      expiresAt: { type: 'datetime', required: true },
      /** The writes, and the request that does them. */
      plan: { type: 'json', required: true },
      /** The response to the caller, once it is applied. */
      applied: { type: 'json' },
      /** The operations that revert it. */
      undo: { type: 'json' },
    },
  },
};
