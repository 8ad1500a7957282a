import { readdirSync, readFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/**
 * What `npm test` leaves to `npm run test:full`: tests that start programs or browsers, that interrupt a write at each of its
 * commands, or that prove again, in another way, what a cheaper test proves.
 */
const leftToFull = [
  // Each command of each page runs as a process.
  /^docs\/(?!dependencies|limits|security)/,
  // The command line as processes; `cli/package` runs the packed package once.
  /^cli\/(?!package)/,
  /^api\/cli\/(?:.*command|migrate|seed\/seed\.|access|doctor|shadow)/,
  /^api\/plugins\/webhooks\/commands/,
  /^unit\/config\/(?:load-module|setup)/,
  // Archives of all content types, and of entries that are written meanwhile.
  /^api\/cli\/(?:import\/corpus|export\/while-writing)/,
  // Services and engines that are killed, suspended or cut off; `faults/kill` kills one.
  /^faults\/(?!kill\.)/,
  /^api\/mongo\/connection\/embedded-database/,
  /^api\/plugins\/concurrent-first-starts/,
  // Chromium; `api/plugins/admin/browser` opens the editor once.
  /^api\/plugins\/admin\/(?!browser|content)/,
  /^api\/plugins\/documentation\/browser/,
  /^api\/graphql\/playground/,
  // The cost of more than a thousand relations, and large responses, and clients that read them slowly.
  /^api\/documents\/relations\/cost/,
  /^api\/mongo\/(?:large-responses|bounded-reads)/,
  /^security\/slow-readers/,
  // An assistant with sixty tasks, and a crash at each step of one; `mcp/rights` and `mcp/requests` have what it may do.
  /^api\/plugins\/mcp\/(?:tasks|interrupted)/,
  // A change of the dialect that is interrupted at each step; `dialects` shows what each does.
  /^api\/mongo\/change-dialect/,
  // A crash at each command of a batch or of a write with an event, and many writers at once. The interleavings have both.
  /^api\/(?:documents\/interrupted|.*(?:idempotent-creation|concurrency|concurrent-|folders-together))/,
  // Projects with code that start as a process with packages of others; the others show that code guards what it should.
  /^api\/strapi\/(?:assistants|spellings|npm-plugins|project-code|upload-providers|email-providers|fallback-locale|list-routes|plugin-extensions|edge|request-bodies)/,
  // Programs of others that use the service, and compilations of the typed client; `typed-client/client` sends its requests.
  /^third-party-clients\//,
  /^typed-client\/(?!client\.)/,
  // The project with code replayed, and the tools that replay.
  /^conformance\/(?!corpus)/,
  // Random requests: over GraphQL and REST compared, and broken ones.
  /^parity\//,
  /^fuzz\//,
];

/** Processes that run tests. Tests wait for the database and for programs, so more than cores: others use that time. */
export const workers = os.availableParallelism() * 2;

/** @param {string} file a path from the project */
const isLeftToFull = (file) => leftToFull.some((pattern) => pattern.test(file.slice('tests/'.length)));

/** @param {string} file a test of which `npm test` runs a part of the cases, see `scaled` */
const isSampled = (file) => file.startsWith('tests/property/') || readFileSync(file, 'utf8').includes('support/scaled');

/**
 * The test files of a suite, in groups that one Jest process runs one after the other, with one copy of the service's modules.
 * With a seed they are shuffled: no test may depend on the order of files, or on what runs in the same process.
 *
 * @param {'quick' | 'full'} suite `quick` are those of `npm test`, `full` the others and those of which `npm test` runs a part
 * @param {number | undefined} seed
 * @returns {readonly (readonly string[])[]} paths from the project
 */
export function groupsOf(suite, seed) {
  const all = readdirSync('tests', { recursive: true, encoding: 'utf8' })
    .map((name) => name.replaceAll(path.sep, '/'))
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => `tests/${name}`)
    .toSorted();
  const files = seed === undefined ? all : shuffle(all, seed);
  if (suite === 'full') {
    const slow = files.filter((file) => isLeftToFull(file) || isSampled(file));
    return deal(slow, Math.ceil(slow.length / 9));
  }
  // One for each worker: a group costs the time that the modules take to load.
  const quick = files.filter((file) => !isLeftToFull(file));
  return deal(quick, workers);
}

/** Neighbours, which take about as long, go to different groups. */
function deal(files, count) {
  return Array.from({ length: count }, (_, group) => files.filter((_file, index) => index % count === group));
}

function shuffle(files, seed) {
  const ranks = new Map(files.map((file, index) => [file, ((index + 1) * 2_654_435_761 * (seed + 1)) % 4_294_967_291]));
  return files.toSorted((one, other) => ranks.get(one) - ranks.get(other));
}
