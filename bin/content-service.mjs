#!/usr/bin/env node
import { run } from '../dist/cli/cli.js';

const exit = await run(process.argv.slice(2));
if (exit !== undefined) process.exitCode = exit;
