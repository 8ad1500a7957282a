import fs from 'node:fs';

/** Linux counts a process's time in hundredths of a second. */
const millisecondsPerTick = 10;

/** Milliseconds of processor time that a process has used so far; undefined where the system does not tell. */
export function cpuOf(pid) {
  const stat = readProcess(pid, 'stat');
  if (stat === undefined) return undefined;
  // The program's name, which may hold anything, ends at the last parenthesis; user and system time are 14th and 15th.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * millisecondsPerTick;
}

/** Megabytes of memory that a process occupies; undefined where the system does not tell. */
export const memoryOf = (pid) => megabytesOf(pid, 'VmRSS');

/** The most that it has occupied since its start, or since that was forgotten. */
export const peakOf = (pid) => megabytesOf(pid, 'VmHWM');

function megabytesOf(pid, name) {
  const kilobytes = new RegExp(`${name}:\\s+(\\d+)`).exec(readProcess(pid, 'status') ?? '')?.[1];
  return kilobytes === undefined ? undefined : Number(kilobytes) / 1024;
}

/** Begins to look for the peak anew, where the system tells it. */
export function forgetPeak(pid) {
  if (peakOf(pid) !== undefined) fs.writeFileSync(`/proc/${pid}/clear_refs`, '5');
}

/** The processes that a process has started. */
export function childrenOf(pid) {
  const children = readProcess(pid, `task/${pid}/children`) ?? '';
  return children.split(' ').filter(Boolean).map(Number);
}

/** These, and those that they have started. */
export const descendantsOf = (pid) => childrenOf(pid).flatMap((child) => [child, ...descendantsOf(child)]);

/** The command line of a process: its program and arguments, separated by spaces. */
export const commandOf = (pid) => readProcess(pid, 'cmdline')?.replaceAll('\0', ' ');

function readProcess(pid, file) {
  if (pid === undefined) return undefined;
  try {
    return fs.readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return undefined;
  }
}

const counted = new Set(
  'aggregate bulkWrite count delete distinct find findAndModify getMore insert update'.split(' '),
);

/** How many commands on data the database has run since its start; undefined where we may not ask. */
export async function commandsOf(client) {
  try {
    const { metrics } = await client.db('admin').command({ serverStatus: 1 });
    const commands = Object.entries(metrics.commands).filter(([name]) => counted.has(name));
    return commands.reduce((sum, [, { total }]) => sum + Number(total), 0);
  } catch {
    return undefined;
  }
}
