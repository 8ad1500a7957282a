/**
 * `npm test`: types, lint, format, unused code and most tests, at the same time. `npm run test:full`: the tests that
 * `npm test` leaves out. One failure does not stop the others, so that one run reports everything. It prints the
 * slowest files and the sums per folder, and keeps them in `.test-report.json`. Last line: how many tests and checks
 * passed, failed and were skipped.
 *
 * `npm test -- tests/unit/query` runs the tests of these paths only, and no checks.
 */
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';

const [suite, ...paths] = process.argv.slice(2);
const bin = (name) => path.join('node_modules', '.bin', name);
// Prettier keeps in its cache which files it has found formatted: only the first run of a clone reads all of them.
const prettier = ['--check', '--log-level=warn', '--cache', '.'];
/** @type {Record<string, readonly (readonly [name: string, command: string, args: readonly string[]])[]>} */
const checks = {
  quick: [
    ['types and lint', bin('oxlint'), ['--type-aware', '--type-check', '--deny-warnings']],
    ['unused code', bin('knip'), []],
    ['format', bin('prettier'), prettier],
  ],
  full: [],
};
const totals = { passed: 0, failed: 0, skipped: 0 };

/**
 * @type {(
 *   command: string,
 *   args: readonly string[],
 *   options: import('node:child_process').SpawnOptions,
 * ) => Promise<{ status: number | null, output: string }>}
 */
const run = (command, args, options) =>
  new Promise((resolve, reject) => {
    const child = spawn(command, args, options);
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (text) => (output += text));
    child.on('error', reject).on('close', (status) => resolve({ status, output }));
  });

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'content-service-test-'));
const report = path.join(folder, 'report.json');
const times = path.join(folder, 'times');
const only = paths.length > 0;
// A larger young generation saves a tenth of the processor time.
const jestArguments = ['--max-semi-space-size=64', bin('jest'), '--json', `--outputFile=${report}`, ...paths];
const tests = run(process.execPath, jestArguments, {
  stdio: ['ignore', 'ignore', 'inherit'],
  env: { ...process.env, ...(!only && { TEST_SUITE: suite, TEST_TIMES: times }) },
});
const started = (only ? [] : checks[suite]).map(([name, command, args]) => ({
  name,
  result: run(command, args, { stdio: ['ignore', 'pipe', 'pipe'] }),
}));
for (const { name, result } of started) {
  const { status, output } = await result;
  totals[status === 0 ? 'passed' : 'failed'] += 1;
  console.log(`${status === 0 ? '✓' : `${output}✗`} ${name}`);
}
const jest = await tests;
const result = fs.existsSync(report) ? JSON.parse(fs.readFileSync(report, 'utf8')) : {};
if (fs.existsSync(times))
  reportTimes(
    fs
      .readFileSync(times, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
  );
for (const { assertionResults = [] } of result.testResults ?? []) {
  for (const { status, fullName, failureMessages } of assertionResults) {
    if (status === 'pending') console.log(`skipped: ${fullName}`);
    if (status === 'failed') console.log(`failed: ${fullName}: ${shorten(failureMessages[0])}`);
  }
}
fs.rmSync(folder, { recursive: true });
totals.passed += result.numPassedTests ?? 0;
totals.skipped += (result.numPendingTests ?? 0) + (result.numTodoTests ?? 0);
// A file that does not even load has no tests that could fail.
totals.failed += (result.numFailedTests ?? 0) + (result.numRuntimeErrorTestSuites ?? 0);
if (jest.status !== 0 && totals.failed === 0) totals.failed = 1;

console.log(`${totals.passed} passed, ${totals.failed} failed, ${totals.skipped} skipped`);
process.exitCode = totals.failed === 0 ? 0 : 1;

/**
 * A message on one line, without its stack.
 *
 * @param {string | undefined} message
 */
function shorten(message = '') {
  return stripVTControlCharacters(message)
    .split(/\n +at /, 1)[0]
    ?.replace(/\s+/g, ' ')
    .slice(0, 500);
}

/**
 * Prints the slowest files and the sums per folder, and keeps all in `.test-report.json`.
 *
 * @param {readonly { readonly file: string, readonly elapsed: number, readonly processor: number }[]} files in seconds
 */
function reportTimes(files) {
  const slowest = files.toSorted((one, other) => other.elapsed - one.elapsed);
  /** @type {Map<string, { files: number, elapsed: number, processor: number }>} */
  const folders = new Map();
  for (const { file, elapsed, processor } of files) {
    const name = file
      .split('/')
      .slice(0, file.startsWith('tests/api/') ? 3 : 2)
      .join('/');
    const sum = folders.get(name) ?? { files: 0, elapsed: 0, processor: 0 };
    folders.set(name, { files: sum.files + 1, elapsed: sum.elapsed + elapsed, processor: sum.processor + processor });
  }
  const row = (elapsed, processor, name) =>
    `${elapsed.toFixed(1).padStart(8)} ${processor.toFixed(1).padStart(8)}  ${name}`;
  console.log(' elapsed processor (seconds; without the database and other processes)');
  for (const { file, elapsed, processor } of slowest.slice(0, 20)) console.log(row(elapsed, processor, file));
  console.log(' per folder:');
  for (const [name, sum] of [...folders].toSorted(([one], [other]) => (one < other ? -1 : 1))) {
    console.log(row(sum.elapsed, sum.processor, `${name} (${sum.files} files)`));
  }
  try {
    fs.writeFileSync('.test-report.json', `${JSON.stringify({ suite, files: slowest }, undefined, 1)}\n`);
  } catch {
    // The folder may be read-only; the report was printed.
  }
}
