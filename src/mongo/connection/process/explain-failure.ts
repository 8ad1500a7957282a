import type { ProcessEnd } from './start-server.js';

/** Explains in one line why a database process did not start. */
export function explainFailure(end: ProcessEnd, dataFolder: string): string {
  const output = end.lines.join('\n');
  const unavailable = /EmbeddedUnavailable: (.*), terminating/.exec(output)?.[1];
  if (unavailable !== undefined) return `the embedded engine is not available: ${unavailable}`;
  if (isInUse(end)) return `another process uses the data folder ${dataFolder}; stop it or set DATA_FOLDER`;
  const complaint = lastComplaint(end);
  if (complaint !== undefined) return `it printed: ${complaint}`;
  // The engine prints nothing about an unreadable folder.
  if (end.code === 14 || end.signal === 'SIGABRT') {
    return `the data in ${dataFolder} is damaged; restore a backup of the folder, or move it away to start with an empty database`;
  }
  return end.lines.at(-1) ?? `it exited with ${end.signal ?? `exit code ${end.code}`} and printed nothing`;
}

/** The last line in which the process reported an error: mongod's own message if there is one. */
export function lastComplaint({ lines }: ProcessEnd): string | undefined {
  return lines.findLast((line) => /"s":"[EF]"/.test(line)) ?? lines.findLast((line) => /exception|error/i.test(line));
}

/** Whether a database process ended because another one uses its folder of data. */
export const isInUse = (end: ProcessEnd): boolean => end.lines.some((line) => line.includes('DBPathInUse'));
