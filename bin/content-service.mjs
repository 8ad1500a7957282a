#!/usr/bin/env node
import module from 'node:module';
import path from 'node:path';

// As in src/main.ts.
module.enableCompileCache?.(path.join(import.meta.dirname, '..', 'dist', '.compile-cache'));

const { run } = await import('../dist/cli/cli.js');

const exit = await run(process.argv.slice(2));
if (exit !== undefined) {
  process.exitCode = exit;
  // The code of a project may keep the process alive, e.g. with a connection.
  setTimeout(() => process.exit(), 1000).unref();
}
