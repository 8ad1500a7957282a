/** Roles, API tokens and users from the shell: `npm run access -- --help`; exit code 0 done, 1 refused, 2 it could not begin. */
import { access } from '../dist/access/access.js';

process.exitCode = await access(process.argv.slice(2));
