/**
 * `npm run build`: makes `dist` anew. The types of each module, and the code of all in few files: to find, read and link
 * 400 modules one by one takes a fifth of a start. Packages stay outside, where tools that trace them find them, except one.
 * (`tsc -p .` writes a file for each module over it, which does the same, more slowly.)
 */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/** What `bin`, `exports`, the scripts and the tests name. */
const entries = [
  'app/load-extension',
  'cli/cli',
  'client/client',
  'config/read-config',
  'config/system',
  'cli/commands/dev/dev',
  'index',
  'main',
  'embedded-mongod/serve',
  'mongo/connection/find-mongod',
  'mongo/connection/memory-server',
  'mongo/connection/open-database',
  'plugins/upload/images/image-worker',
  'server/shutdown-signal',
  'testing',
];

const project = path.dirname(import.meta.dirname);
const at = (...names) => path.join(project, ...names);

// What has no source any more must not stay.
fs.rmSync(at('dist'), { recursive: true, force: true });
const compiler = [at('node_modules', 'typescript', 'bin', 'tsc'), '-p', project, '--emitDeclarationOnly'];
const { status } = spawnSync(process.execPath, compiler, { stdio: 'inherit' });
if (status !== 0) process.exit(1);
/** Project code never shares the 200 modules of GraphQL Tools, and to load them one by one takes a tenth of a start with code. */
const graphqlTools = {
  name: 'graphql-tools',
  setup: ({ onResolve }) => {
    onResolve({ filter: /^(?:@graphql-tools\/.*|@whatwg-node\/promise-helpers|cross-inspect)$/ }, ({ path: name }) => ({
      path: fileURLToPath(import.meta.resolve(name)),
      sideEffects: false,
    }));
  },
};
const options = {
  bundle: true,
  plugins: [graphqlTools],
  splitting: true,
  packages: 'external',
  format: 'esm',
  platform: 'node',
  target: 'es2023',
  sourcemap: true,
  logLevel: 'warning',
};
await build({
  ...options,
  entryPoints: entries.map((name) => at('src', `${name}.ts`)),
  outbase: at('src'),
  outdir: at('dist'),
});
// Programs of this repository, which the package leaves out.
await build({
  ...options,
  entryPoints: ['conformance', 'conformance-serve'].map((name) => at('scripts', 'conformance', `${name}.ts`)),
  outbase: at('scripts', 'conformance'),
  outdir: at('dist', '.conformance'),
});
await import('./build-playground.mjs');
// The client alone, as a package that front ends in other repositories install.
const { version, license } = JSON.parse(fs.readFileSync(at('package.json'), 'utf8'));
const client = {
  name: 'content-service-client',
  version,
  description: 'The typed client of Content Service',
  license,
  type: 'module',
  exports: { '.': { types: './client.d.ts', default: './client.js' } },
  files: ['*.js', '*.d.ts'],
};
fs.writeFileSync(at('dist', 'client', 'package.json'), `${JSON.stringify(client, null, 2)}\n`);
