/** The interface to a project's code. Import it on demand: its packages take a tenth of a second to load. */
export { namedPolicies, openGraphql } from './graphql/open-graphql.js';
export { openProject } from './open-project.js';
export { logReport } from './project/group-report.js';
export { describeProject } from './project/report.js';
export { listRestGuards } from './rest-guards.js';
export { findAuthenticationCode } from './services/guarded-members.js';
export { isRouted, listCodeActions, openStrategies, serveProject } from './serve-project.js';
