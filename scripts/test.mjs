/**
 * Everything `npm test` checks: types, lint, format, unused code and the Jest suite, at the same time. One failure does
 * not stop the others, so that one run reports everything. Last line: how many tests and checks passed, failed and were skipped.
 */
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const bin = (name) => path.join('node_modules', '.bin', name);
/** @type {readonly (readonly [name: string, command: string, args: readonly string[]])[]} */
const checks = [
  ['types', bin('tsc'), ['-p', 'tests']],
  ['types of the editor', bin('tsc'), ['-p', 'editor']],
  ['lint', bin('oxlint'), ['--type-aware', '--deny-warnings']],
  ['format', bin('prettier'), ['--check', '--log-level=warn', '.']],
  ['unused code', bin('knip'), []],
];
const totals = { passed: 0, failed: 0, skipped: 0 };

/**
 * @type {(
 *   command: string,
 *   args: readonly string[],
 *   stdio: import('node:child_process').StdioOptions,
 * ) => Promise<{ status: number | null, output: string }>}
 */
const run = (command, args, stdio) =>
  new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (text) => (output += text));
    child.on('error', reject).on('close', (status) => resolve({ status, output }));
  });

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'content-service-test-'));
const report = path.join(folder, 'report.json');
// Each worker gets these flags too. A larger young generation saves a tenth of its processor time; optimizing only what runs
// long, because most of a test file runs only a few times, 4 % more.
const flags = ['--max-semi-space-size=128', '--interrupt-budget=1000000'];
const jestArguments = [...flags, bin('jest'), '--json', `--outputFile=${report}`];
const suite = run(process.execPath, [...jestArguments, ...process.argv.slice(2)], ['ignore', 'ignore', 'inherit']);
const started = checks.map(([name, command, args]) => ({
  name,
  result: run(command, args, ['ignore', 'pipe', 'pipe']),
}));
for (const { name, result } of started) {
  const { status, output } = await result;
  totals[status === 0 ? 'passed' : 'failed'] += 1;
  console.log(`${status === 0 ? '✓' : `${output}✗`} ${name}`);
}
const jest = await suite;
const result = fs.existsSync(report) ? JSON.parse(fs.readFileSync(report, 'utf8')) : {};
fs.rmSync(folder, { recursive: true });
for (const { assertionResults = [], name } of result.testResults ?? []) {
  for (const { status, fullName } of assertionResults) {
    if (status === 'pending') console.log(`skipped: ${path.relative('.', name)}: ${fullName}`);
  }
}
totals.passed += result.numPassedTests ?? 0;
totals.skipped += (result.numPendingTests ?? 0) + (result.numTodoTests ?? 0);
// A suite that does not even load has no tests that could fail.
totals.failed += (result.numFailedTests ?? 0) + (result.numRuntimeErrorTestSuites ?? 0);
if (jest.status !== 0 && totals.failed === 0) totals.failed = 1;

console.log(`${totals.passed} passed, ${totals.failed} failed, ${totals.skipped} skipped`);
process.exitCode = totals.failed === 0 ? 0 : 1;
