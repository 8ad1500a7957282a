import fs from 'node:fs';
import path from 'node:path';
import { childrenOf } from './cost.mjs';

const groups = '/sys/fs/cgroup';
/** Microseconds over which a share is counted. */
const period = 20_000;

/** Of a process and those that it started, each. */
export const giveShares = (pid, share) => [pid, ...childrenOf(pid)].map((one) => giveShare(one, share));

/**
 * Lets a process have only this share of a core from now on, by a control group of its own: Linux, as root.
 * @returns what removes the group when the process has ended
 */
function giveShare(pid, share) {
  const quota = Math.round(share * period);
  const version1 = path.join(groups, 'cpu');
  const [parent, limits] = fs.existsSync(version1)
    ? [version1, { 'cpu.cfs_period_us': period, 'cpu.cfs_quota_us': quota }]
    : [groups, { 'cpu.max': `${quota} ${period}` }];
  const folder = path.join(parent, `content-service-bench-${pid}`);
  fs.mkdirSync(folder);
  for (const [name, value] of Object.entries({ ...limits, 'cgroup.procs': pid }))
    fs.writeFileSync(path.join(folder, name), String(value));
  return () => fs.rmdirSync(folder);
}
