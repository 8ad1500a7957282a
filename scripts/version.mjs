/**
 * The version of what is built here, which names the day and the commit unless it is a release. Plain Node: the setup
 * needs it.
 */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

/**
 * That of `package.json`; before a release, `0.2.0-dev` has the day and the commit behind it:
 * `0.2.0-dev.20261201.abc1234`, and `changed` where files differ from the commit. Without Git it stays as it is.
 */
export function versionOf(project) {
  const { version } = JSON.parse(fs.readFileSync(path.join(project, 'package.json'), 'utf8'));
  if (!version.endsWith('-dev') || !fs.existsSync(path.join(project, '.git'))) return version;
  const day = git(project, 'log', '-1', '--format=%cd', '--date=format-local:%Y%m%d');
  const commit = git(project, 'rev-parse', 'HEAD');
  if (day === undefined || commit === undefined) return version;
  const isChanged = git(project, 'status', '--porcelain', '--untracked-files=no') !== '';
  return [version, day, abbreviate(commit), ...(isChanged ? ['changed'] : [])].join('.');
}

/**
 * At least seven digits, with a letter among them: a part of digits alone would be a number, which may not begin with
 * 0.
 */
const abbreviate = (commit) =>
  /^\d*[a-f][\da-f]*/.exec(commit)?.[0].slice(0, Math.max(7, commit.search(/[a-f]/) + 1)) ?? `g${commit}`;

function git(cwd, ...args) {
  const { status, stdout } = spawnSync('git', args, { cwd, encoding: 'utf8', env: { ...process.env, TZ: 'UTC' } });
  return status === 0 ? stdout.trim() : undefined;
}
