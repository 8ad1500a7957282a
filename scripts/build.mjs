/**
 * `npm run build`: makes `dist` anew. The types of each module, and the code of all in few files: to find, read and
 * link 400 modules one by one takes a fifth of a start. Most packages stay outside, where tools that trace them find
 * them. (`tsc -p .` writes a file for each module over it, which does the same, more slowly.)
 */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { isBuiltin } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { bundledPackages, writeBundled } from './bundled-packages.mjs';
import { linkPackages, packageFolders } from './packages.mjs';
import { versionOf } from './version.mjs';

/** The entry points that `bin`, `exports`, the scripts and the tests name. */
const entries = [
  'app/load-extension',
  'cli/cli',
  'config/load-config',
  'config/system',
  'content-api',
  'cli/commands/dev/dev',
  'cli/commands/shadow/compare-worker',
  'index',
  'main',
  'mongo/connection/find-mongod',
  'mongo/connection/memory-server',
  'mongo/connection/open-database',
  'plugin',
  'plugins/upload/images/image-worker',
  'server/shutdown-signal',
  'testing',
];

const project = path.dirname(import.meta.dirname);
const at = (...names) => path.join(project, ...names);

/** Removes output without a source, and writes the types of each module. */
function writeTypes(folder) {
  fs.rmSync(path.join(folder, 'dist'), { recursive: true, force: true });
  // The linter checks the types, of tests and scripts as well: to check them here too takes as long as the rest of the
  // build.
  const compiler = [at('node_modules', 'typescript', 'bin', 'tsc'), '-p', folder, '--emitDeclarationOnly', '--noCheck'];
  const { status } = spawnSync(process.execPath, compiler, { stdio: 'inherit' });
  if (status !== 0) process.exit(1);
}
/**
 * Packages of many modules that project code never shares: to load those one by one takes a tenth of a start with code.
 * Of the client, the command `types` uses a part.
 */
const bundled =
  /^(?:@content-service\/client\/.*|@graphql-tools\/.*|@babel\/parser|@sindresorhus\/slugify|commander|compression|cors|croner|date-fns\/.*|dotenv|file-type\/core|helmet|httpxy|koa|koa-compose|koa-session|lru-cache|marked|@koa\/router|p-limit|rate-limiter-flexible|tar-stream)$/;

/** Those that are installed with the service. */
const { dependencies: installed } = JSON.parse(fs.readFileSync(at('package.json'), 'utf8'));

/**
 * Packages stay outside, except those. What is CommonJS is loaded by `require`: an `import` first reads and scans all
 * files of a package for the names that it exports, which takes as long as to load them. The names are those that such
 * an `import` offers.
 */
const packages = {
  name: 'packages',
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /^[^./]/ }, ({ path: name, kind, importer }) => {
      // What a package needs that is bundled is bundled, too.
      const isInner = importer.includes(`${path.sep}node_modules${path.sep}`) && !(name in installed);
      const required = kind === 'require-call';
      const isLazy = kind === 'dynamic-import';
      if (isBuiltin(name)) return required ? { path: name, namespace: 'builtin' } : undefined;
      // An `import()` of it would find no names.
      if (isLazy && bundled.test(name) && isCommonJs(name)) return { errors: [{ text: `${name} cannot be bundled` }] };
      // A package that is bundled requires others.
      if (required || isInner || bundled.test(name)) return undefined;
      return !isLazy && isCommonJs(name) ? { path: name, namespace: 'common-js' } : { external: true };
    });
    onLoad({ filter: /.*/, namespace: 'builtin' }, ({ path: name }) => ({
      contents: `module.exports = process.getBuiltinModule(${JSON.stringify(name)});`,
    }));
    onLoad({ filter: /.*/, namespace: 'common-js' }, async ({ path: name }) => {
      const { default: _exports, 'module.exports': _same, ...named } = await import(name);
      const lines = Object.keys(named).map((key) => `const ${key}_ = exports.${key}; export { ${key}_ as ${key} };`);
      const contents = [
        `import { createRequire } from 'node:module';`,
        `const exports = createRequire(import.meta.url)(${JSON.stringify(name)});`,
        `export default exports;`,
        ...lines,
      ];
      return { contents: contents.join('\n') };
    });
  },
};

function isCommonJs(name) {
  const file = fileURLToPath(import.meta.resolve(name));
  if (!file.endsWith('.js')) return file.endsWith('.cjs');
  let folder = path.dirname(file);
  while (!fs.existsSync(path.join(folder, 'package.json'))) folder = path.dirname(folder);
  return JSON.parse(fs.readFileSync(path.join(folder, 'package.json'), 'utf8')).type !== 'module';
}

// Names are relative to the project: a `?` in the path of its folder would end the name of an entry point.
const options = {
  absWorkingDir: project,
  bundle: true,
  plugins: [packages],
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'es2023',
  sourcemap: true,
  conditions: ['content-service-source'],
  metafile: true,
  logLevel: 'warning',
};

linkPackages(project);

// The client first: the types of the command `types` come from its own.
const client = { ...options, outbase: 'packages/client/src', outdir: 'packages/client/dist' };
writeTypes(at('packages', 'client'));
// Front ends load one file, and bundle it for browsers.
for (const entry of ['client', 'query', 'preview'])
  await build({ ...client, splitting: false, platform: 'neutral', entryPoints: [`packages/client/src/${entry}.ts`] });
for (const entry of ['fetch-types', 'program'])
  await build({ ...client, splitting: false, entryPoints: [`packages/client/src/${entry}.ts`] });

writeTypes(project);
const built = [];
built.push(
  await build({ ...options, outbase: 'src', outdir: 'dist', entryPoints: entries.map((name) => `src/${name}.ts`) }),
);
// What few services or code of projects ask for, each in a file of its own that is loaded by then.
for (const name of ['@koa/router', '@simplewebauthn/server', 'dotenv', 'nexus', 'yup']) {
  const one = await build({
    ...options,
    plugins: [],
    splitting: false,
    format: 'cjs',
    // The service's own instance; what only writes files of types is not used.
    external: ['graphql', 'prettier'],
    entryPoints: [{ in: name, out: name }],
    outdir: 'dist/bundled',
    outExtension: { '.js': '.cjs' },
  });
  built.push(one);
}
const copied = ['@graphql-yoga/render-graphiql', 'swagger-ui-dist'];
const metafiles = built.map(({ metafile }) => metafile);
writeBundled(at('dist'), bundledPackages(project, metafiles, copied));
// A project with the service has the client, and what shows previews, without another package.
const isClient = (name) => /^(?:client|preview)\.js$/.test(name) || name.endsWith('.d.ts');
for (const name of fs.readdirSync(at('packages', 'client', 'dist')).filter(isClient))
  fs.cpSync(at('packages', 'client', 'dist', name), at('dist', 'client', name));
fs.writeFileSync(at('dist', 'version.json'), `${JSON.stringify({ version: versionOf(project) })}\n`);

/** The packages that are plugins of the service. */
const pluginPackages = packageFolders(project)
  .filter((folder) => {
    const { peerDependencies } = JSON.parse(fs.readFileSync(path.join(folder, 'package.json'), 'utf8'));
    return peerDependencies?.['content-service'] !== undefined;
  })
  .map((folder) => path.basename(folder));
for (const [name, modules] of Object.entries({
  'embedded-mongod': ['index', 'serve'],
  ...Object.fromEntries(pluginPackages.map((name) => [name, ['index']])),
})) {
  fs.rmSync(at('packages', name, 'dist'), { recursive: true, force: true });
  const entryPoints = modules.map((module) => `packages/${name}/src/${module}.ts`);
  const { metafile } = await build({
    ...options,
    entryPoints,
    outbase: `packages/${name}/src`,
    outdir: `packages/${name}/dist`,
  });
  writeBundled(at('packages', name, 'dist'), bundledPackages(project, [metafile]));
}

// Programs of this repository, which the package leaves out.
await build({
  ...options,
  // With what packages import of the service: of one module there must not be two copies in a process.
  entryPoints: [
    ...['conformance', 'conformance-serve'].map((name) => ({ in: `scripts/conformance/${name}.ts`, out: name })),
    ...['plugin', 'content-api'].map((name) => ({ in: `src/${name}.ts`, out: name })),
  ],
  outdir: 'dist/.conformance',
});
await import('./build-playground.mjs');
await import('./build-editor.mjs');
await import('./copy-swagger-ui.mjs');
