/**
 * What graphql-js does not export to all: its version is fixed for that. Fields are collected, arguments read and resolvers told
 * where they are by the functions that its own execution uses.
 */
export { collectFields, collectSubfields } from 'graphql/execution/collectFields.js';
export { buildExecutionContext, buildResolveInfo, type ExecutionContext } from 'graphql/execution/execute.js';
