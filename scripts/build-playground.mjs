/**
 * Puts the files of the GraphQL Playground into dist/playground: GraphiQL with its editor's workers, from a package
 * that holds them as texts, so that nothing has to be bundled here and nothing is fetched when the page is shown.
 */
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const project = path.dirname(import.meta.dirname);
const texts = path.join(project, 'node_modules', '@graphql-yoga', 'render-graphiql', 'esm', 'graphiql.js');
const own = path.join(import.meta.dirname, 'playground', 'start.js');
const folder = path.join(project, 'dist', 'playground');

const { css, js, editorWorkerService, jsonWorker, graphqlWorker } = await import(pathToFileURL(texts).href);
const files = {
  'graphiql.js': js,
  'graphiql.css': css,
  'editor.worker.js': editorWorkerService,
  'json.worker.js': jsonWorker,
  'graphql.worker.js': graphqlWorker,
  'start.js': fs.readFileSync(own, 'utf8'),
};
fs.mkdirSync(folder, { recursive: true });
for (const [name, text] of Object.entries(files)) fs.writeFileSync(path.join(folder, name), text);
