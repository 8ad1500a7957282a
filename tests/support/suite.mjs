import { existsSync, readdirSync, readFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** Tests that need neither a build nor a database: `tests/architecture/pure.test.ts` checks that. */
export const pure = [
  '/tests/(?:architecture|golden|unit)/.*\\.test\\.ts$',
  '/tests/property/(?:parse-cost|rights)\\.test\\.ts$',
  '/packages/cdn/tests/adapters\\.test\\.ts$',
  '/packages/editor/tests/unit/.*\\.test\\.ts$',
  '/packages/embedded-mongod/tests/.*\\.test\\.ts$',
  '/packages/versions/tests/differences\\.test\\.ts$',
];

/**
 * What `npm test` leaves to `npm run test:full`: tests that start programs or browsers, that interrupt a write at each
 * of its commands, or that prove again, in another way or in more cases, what a cheaper test proves.
 */
const leftToFull = [
  // Each command of each page runs as a process.
  /^docs\/(?!dependencies|limits|security)/,
  // The sites of `examples`, which are installed from the registry, built and started.
  /^front-ends\//,
  // The command line; `cli/package` runs the packed package once, and `seed-batch` has what a command does.
  /^cli\/(?!package)/,
  /^api\/cli\/(?!seed\/seed-batch)/,
  /^api\/plugins\/webhooks\/commands/,
  /^unit\/config\/setup/,
  // Services and engines that are killed, suspended, cut off, shared or started twice; `faults/kill` kills one.
  /^faults\/(?!kill\.)/,
  /^api\/mongo\/connection\/(?:remote|second-start)/,
  /^api\/plugins\/concurrent-first-starts/,
  // The editor, mostly in Chromium; `packages/editor/tests/service/first-use` opens it once.
  /^packages\/editor\/tests\/service\/(?!first-use)/,
  /^api\/plugins\/users-permissions\/first-user/,
  /^api\/plugins\/documentation\/browser/,
  /^api\/graphql\/playground/,
  // Changes of content types in the browser; `unit/content-types` and `packages/editor/tests/unit` have what is
  // written.
  /^api\/plugins\/content-type-builder\/definitions/,
  // Streams, and settings of a service with few content types.
  /^api\/graphql\/(?:subscription|switches)/,
  // Hostile requests in large numbers, and the length of the answers; the others of `security` send one of each kind.
  /^security\/(?:bodies|error-answers|groups|held-memory|prototypes|queries|slow-readers)/,
  // The cost of more than a thousand relations, and large responses, and what takes too long.
  /^api\/documents\/relations\/cost/,
  /^api\/mongo\/(?:large-responses|bounded-reads|time-limits|full-scans)/,
  /^security\/response-limit/,
  // Commands that concurrent requests share, and queries that end with their client, which keep the database busy for
  // seconds.
  /^api\/(?:mongo\/shared-commands|rest\/client-disconnects)/,
  // Every form of a change from the other side of a relation, and its rights; `relations/forms`, `access/entries` and
  // `property/access` have the rules.
  /^api\/documents\/(?:relations\/(?:other-side|takeover)|delete-many)/,
  /^api\/access\/other-sides/,
  // Drafts, feeds and languages that a caller may not see, and why; `property/drafts`, `property/access` and
  // `property/fallback-locale` compare random requests with what the rules allow.
  /^api\/(?:documents\/restricted-drafts|access\/(?:changes|explain)|plugins\/i18n\/(?:fallback-locale|available-locales))/,
  // Which responses stay cached, and for whom; `property/freshness` and `property/dependencies` compare cached ones
  // with new ones.
  /^api\/(?:(?:documents|graphql)\/response-cache|access\/cached)/,
  // Localizations, which the corpus replays.
  /^api\/plugins\/i18n\/localizations/,
  // Filters of populated components; `property/filters` has the filters, `property/reads` what is populated.
  /^property\/component-filters/,
  // Pages of long lists; `property/keyset` has the rules.
  /^api\/rest\/(?:keyset|long-lists)/,
  // Folders, which are off by default; `upload/files` and the corpus have files.
  /^api\/plugins\/upload\/folders/,
  // Stores of files, images and purges of caches: other programs.
  /^api\/plugins\/upload\/(?:append|image-process|responsive|security|serve|stores|store-away|sweep|upload-file)/,
  // Log-in and users over GraphQL, which the corpus replays.
  /^api\/plugins\/users-permissions\/graphql/,
  /^packages\/cdn\/tests\/purges/,
  // An assistant with sixty tasks, with little rights, and with a crash at each step of one;
  // `packages/mcp/tests/requests` has what it may do.
  /^packages\/mcp\/tests\/(?:connect|interrupted|rights|tasks)/,
  // The recorded answers of Strapi 5, and programs of others that speak its API; `packages/strapi5/tests/parse-request`
  // shows each rule of reads.
  /^packages\/strapi5\/tests\/(?:recordings|clients)/,
  // A change of the dialect that is interrupted at each step; `dialects` shows what each does.
  /^api\/mongo\/change-dialect/,
  // A crash at each command of a batch or of a write with an event, and many writers at once. The interleavings have
  // both.
  /^api\/(?:documents\/interrupted|.*(?:idempotent-creation|concurrency|concurrent-|folders-together|random-writes))/,
  // Dry runs of each kind of write; `property/transactions` aborts writes of every kind.
  /^api\/rest\/dry-run/,
  // What the code of a project adds to GraphQL and to the application, which the project corpus replays.
  /^api\/(?:graphql|app\/extension)\/extension/,
  // Projects with code, each of which starts as a process.
  /^api\/strapi\/(?!access-rules|core-actions)/,
  /^property\/routes/,
  // Programs of others that use the service, and compilations of the typed client; `packages/client/tests/client` sends
  // its requests.
  /^third-party-clients\//,
  /^packages\/client\/tests\/(?!client\.)/,
  // The project with code replayed, and the tools that replay.
  /^conformance\/(?!corpus)/,
  // Random requests: over GraphQL and REST compared, and broken ones.
  /^parity\//,
  /^fuzz\//,
];

/**
 * Processes that run tests. Tests wait for the database and for programs, so more than cores: others use that time.
 * Each loads all modules.
 */
export const workers = Math.ceil(os.availableParallelism() * 1.5);

/** @param {string} file a path from the project */
const isLeftToFull = (file) => leftToFull.some((pattern) => pattern.test(file.replace(/^tests\//, '')));

/** @param {string} file a test of which `npm test` runs a part of the cases, see `scaled` */
const isSampled = (file) =>
  file.startsWith('tests/property/') || /\b(?:scaled\(|isQuick\b)/.test(readFileSync(file, 'utf8'));

/**
 * The test files of a suite, in groups that one Jest process runs one after the other, with one copy of the service's
 * modules. With a seed they are shuffled: no test may depend on the order of files, or on what runs in the same
 * process.
 *
 * @param {'quick' | 'full'} suite `quick` are those of `npm test`, `full` the others and those of which `npm test` runs
 * a part
 * @param {number | undefined} seed
 * @returns {readonly (readonly string[])[]} paths from the project
 */
export function groupsOf(suite, seed) {
  const folders = ['tests', ...readdirSync('packages').map((name) => `packages/${name}/tests`)];
  const all = folders
    .filter((folder) => existsSync(folder))
    .flatMap((folder) => readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`))
    .map((name) => name.replaceAll(path.sep, '/'))
    .filter((name) => name.endsWith('.test.ts'))
    .toSorted();
  const files = seed === undefined ? all : shuffle(all, seed);
  if (suite === 'full') {
    const slow = files.filter((file) => isLeftToFull(file) || isSampled(file));
    return balance(slow, Math.ceil(slow.length / 9));
  }
  // One for each worker: a group costs the time that the modules take to load.
  return balance(
    files.filter((file) => !isLeftToFull(file)),
    workers,
  );
}

/** The seconds that the longest of `npm test` take. */
const durations = new Map([
  ['tests/conformance/corpus.test.ts', 119],
  ['tests/property/access.test.ts', 48],
  ['tests/cli/package.test.ts', 41],
  ['tests/interleavings/interleavings.test.ts', 29],
  ['packages/editor/tests/service/first-use.test.ts', 20],
  ['tests/property/drafts.test.ts', 17],
  ['tests/api/mongo/connection/embedded-database.test.ts', 16],
  ['tests/api/plugins/webhooks/deliver.test.ts', 17],
]);
/** Those that use neither a service nor a program take a tenth of the time of the others. */
const durationOf = (file) =>
  durations.get(file) ??
  (/^(?:tests\/(?:unit|golden|architecture)|packages\/(?:embedded-mongod|editor\/tests\/unit))\//.test(file)
    ? 0.3
    : 3.6);

/** Deals files to groups that take about as long: each goes to the one that has least, the longest first. */
function balance(files, count) {
  const groups = Array.from({ length: count }, () => ({ files: [], duration: 0 }));
  for (const file of files.toSorted((one, other) => durationOf(other) - durationOf(one))) {
    const least = groups.reduce((least, group) => (group.duration < least.duration ? group : least));
    least.files.push(file);
    least.duration += durationOf(file);
  }
  return groups.map((group) => group.files);
}

function shuffle(files, seed) {
  const ranks = new Map(files.map((file, index) => [file, ((index + 1) * 2_654_435_761 * (seed + 1)) % 4_294_967_291]));
  return files.toSorted((one, other) => ranks.get(one) - ranks.get(other));
}
