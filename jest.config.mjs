import path from 'node:path';
import { groupsOf, pure, workers } from './tests/support/suite.mjs';

// What the engine, the compiler and browsers cache: nothing outside of this folder and the temporary one is written.
process.env.XDG_CACHE_HOME = path.join(import.meta.dirname, 'node_modules', '.cache');

/** Packages that are ES modules only: compiled like our own code. */
const modules =
  'hast-util-[^/]+|mdast-util-[^/]+|unist-util-[^/]+|vfile[^/]*|hastscript|parse5|entities|property-information|[^/]+-separated-tokens|web-namespaces|devlop|@ungap|rehype-minify-whitespace|trim-trailing-lines|collapse-white-space|' +
  '@seriousme|file-type|strtok3|token-types|@tokenizer|ra-strapi-rest|uint8array-extras|@borewit|@sindresorhus|escape-string-regexp|marked|httpxy|p-limit|yocto-queue|strapi-community-astro-loader|tiny-invariant';

/** Tests are compiled by swc (no type check: `tsc` does that once, for all files). */
const project = {
  roots: ['<rootDir>/tests', '<rootDir>/packages'],
  // Packages of this repository are loaded from their sources.
  testEnvironmentOptions: { customExportConditions: ['content-service-source', 'node', 'node-addons'] },
  moduleNameMapper: {
    '^(\\.{1,2}/.*)\\.js$': '$1',
    // Clients of react-admin run without its user interface.
    '^(?:ra-core|react-admin)$': '<rootDir>/tests/third-party-clients/react-admin.ts',
  },
  transform: {
    '^.+\\.m?[jt]s$': [
      '@swc/jest',
      { jsc: { parser: { syntax: 'typescript' }, target: 'es2022' }, module: { type: 'commonjs' } },
    ],
  },
  transformIgnorePatterns: [`/node_modules/(?!(?:${modules})/)`],
  globalTeardown: '<rootDir>/tests/support/stop-database.ts',
  injectGlobals: false,
};
const withDatabase = { ...project, globalSetup: '<rootDir>/tests/support/start-database.ts' };

/** `npm test` and `npm run test:full` name their suite; without one Jest runs the files that it is given, each by itself. */
const { TEST_SUITE, TEST_SHUFFLE } = process.env;
const groups = TEST_SUITE && groupsOf(TEST_SUITE, TEST_SHUFFLE === undefined ? undefined : Number(TEST_SHUFFLE));

export default {
  ...(groups
    ? {
        projects: groups.map((group, index) => ({
          ...withDatabase,
          displayName: `group ${index + 1}`,
          testMatch: ['<rootDir>/tests/support/group.ts'],
          globals: { TEST_GROUP: group },
        })),
      }
    : {
        projects: [
          { ...project, testRegex: pure, globalSetup: '<rootDir>/tests/support/make-folder.mjs' },
          { ...withDatabase, testMatch: ['**/*.test.ts'], testPathIgnorePatterns: pure },
        ],
      }),
  maxWorkers: workers,
  testTimeout: limit(),
};

/** The milliseconds that a test may take, unless it says why it needs more. */
function limit() {
  if (process.env.TEST_THOROUGH !== undefined) return 86_400_000;
  // On a busy machine everything takes ten times as long. The other tests start programs, or repeat a write for each of its commands.
  return TEST_SUITE === 'quick' ? 120_000 : 600_000;
}
