/**
 * Private modules of graphql-js, whose version is exact for this reason. Fields are collected, arguments read and resolvers
 * called
 * where they are by the functions that its own execution uses.
 */
export { collectFields, collectSubfields } from 'graphql/execution/collectFields.js';
export { buildExecutionContext, buildResolveInfo, type ExecutionContext } from 'graphql/execution/execute.js';
