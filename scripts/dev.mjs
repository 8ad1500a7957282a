/** `npm run dev`: builds on every change of the code, and starts the service anew. */
import { spawn } from 'node:child_process';
import path from 'node:path';
import { develop } from '../dist/dev/dev.js';

const options = ['-p', '.', '--watch', '--preserveWatchOutput'];
const compiler = spawn(path.join('node_modules', '.bin', 'tsc'), options, { stdio: 'inherit' });
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => compiler.kill());
await develop([path.resolve('dist')]);
