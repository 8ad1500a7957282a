#!/usr/bin/env -S node --heap-growing-percent=20 --max-semi-space-size=4
import { run } from '../dist/cli/cli.js';

const exit = await run(process.argv.slice(2));
if (exit !== undefined) process.exitCode = exit;
