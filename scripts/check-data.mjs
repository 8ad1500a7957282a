/** Checks that every stored entry keeps every rule of the storage; exit code 0 none is broken, 1 some are, 2 it cannot run. */
import { checkData } from '../dist/check-data.js';

process.exitCode = await checkData(process.argv.slice(2));
