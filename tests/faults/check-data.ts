import { spawnSync } from 'node:child_process';
import path from 'node:path';
import type { Project } from './service-process.js';

/** The output of `npx content-service check-data` for the project. */
export function checkData({ folder }: Project, settings: Readonly<Record<string, string>> = {}): string {
  const { MONGODB_URI: _, ...environment } = process.env;
  const { stdout, stderr } = spawnSync(process.execPath, [path.resolve('bin/content-service.mjs'), 'check-data'], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...environment, NODE_ENV: 'development', DATABASE: 'embedded', TMPDIR: folder, ...settings },
  });
  return stdout + stderr;
}
