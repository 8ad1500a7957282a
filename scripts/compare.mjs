/** Compares the answers of a running Strapi v4 with ours: `npm run compare`, see docs/migration.md. */
import { compare } from '../dist/compare/compare.js';

process.exitCode = await compare(process.argv.slice(2));
