/** Puts the two files of Swagger UI that the package serves, and its licence, into dist/swagger-ui. */
import fs from 'node:fs';
import path from 'node:path';

const project = path.dirname(import.meta.dirname);
const from = path.join(project, 'node_modules', 'swagger-ui-dist');
const to = path.join(project, 'dist', 'swagger-ui');

fs.mkdirSync(to, { recursive: true });
for (const name of ['swagger-ui.css', 'swagger-ui-bundle.js', 'LICENSE', 'NOTICE']) {
  fs.copyFileSync(path.join(from, name), path.join(to, name));
}
