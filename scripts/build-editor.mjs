/**
 * Puts the editor into `dist/browser` of its package: its page, and a script and a style with hashes in their names, so
 * that browsers keep them. Each is also there compressed, a third as long.
 */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import zlib from 'node:zlib';
import { build } from 'esbuild';
import { bundledPackages, writeBundled } from './bundled-packages.mjs';
import { joinScripts } from './join-scripts.mjs';

const project = path.dirname(import.meta.dirname);
const folder = path.join(project, 'packages', 'editor', 'dist', 'browser');
const assets = path.join(folder, 'assets');
const apart = fs.mkdtempSync(path.join(os.tmpdir(), 'editor-'));

/** React Aria has its own sentences in more languages than the editor. */
const languages = /[\\/](?:de|en|fr)-[A-Z]{2}\.mjs$/;
const withoutOtherLanguages = {
  name: 'without other languages',
  setup({ onLoad }) {
    onLoad({ filter: /react-(?:aria|stately)[^]*[\\/]intl[\\/].*\.mjs$/ }, ({ path }) =>
      languages.test(path) ? undefined : { contents: 'export default {}' },
    );
  },
};

const { metafile } = await build({
  // Relative, as in build.mjs.
  entryPoints: {
    editor: 'packages/editor/src/browser/main.tsx',
    style: 'packages/editor/src/browser/styles/editor.css',
  },
  outdir: apart,
  entryNames: '[name]-[hash]',
  chunkNames: '[name]-[hash]',
  bundle: true,
  // What an import loads later is in files of its own.
  splitting: true,
  minify: true,
  metafile: true,
  legalComments: 'linked',
  format: 'esm',
  target: 'es2022',
  jsx: 'automatic',
  define: { 'process.env.NODE_ENV': '"production"' },
  logLevel: 'warning',
  absWorkingDir: project,
  tsconfig: 'packages/editor/src/browser/tsconfig.json',
  plugins: [withoutOtherLanguages],
});
fs.rmSync(folder, { recursive: true, force: true });
fs.mkdirSync(assets, { recursive: true });
writeBundled(folder, bundledPackages(project, [metafile]));
const outputs = Object.keys(metafile.outputs);
const entry = outputs.find((file) => /\/editor-[^/]*\.js$/.test(file)) ?? '';
const first = await joinScripts({ metafile, from: apart, entry, into: assets });
// Styles, and what the licenses of packages ask for.
const kept = outputs.map((file) => path.basename(file)).filter((name) => /\.(?:css|txt)$/.test(name));
for (const name of kept) fs.copyFileSync(path.join(apart, name), path.join(assets, name));
fs.rmSync(apart, { recursive: true });
const style = kept.find((name) => /^style-.*\.css$/.test(name));

fs.writeFileSync(
  path.join(folder, 'index.html'),
  `<!doctype html>
<html lang="en" data-api="/api">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>Editor</title>
    <link rel="icon" href="data:," />
    <!-- React Aria looks for this id before it adds a style, which the content security policy would refuse. -->
    <link id="react-aria-pressable-style" rel="stylesheet" href="/admin/assets/${style}" />
    <script type="module" src="/admin/assets/${first}"></script>
  </head>
  <body>
    <noscript>The editor needs JavaScript.</noscript>
    <div id="root"></div>
  </body>
</html>
`,
);

/** Bytes of a file that fits into one packet. */
const ONE_PACKET = 1400;
const compressions = { br: promisify(zlib.brotliCompress), gz: promisify(zlib.gzip) };
const files = fs.readdirSync(assets, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
await Promise.all(
  files.map(async ({ parentPath, name }) => {
    const file = path.join(parentPath, name);
    const content = fs.readFileSync(file);
    if (content.length <= ONE_PACKET) return;
    for (const [extension, compress] of Object.entries(compressions))
      fs.writeFileSync(`${file}.${extension}`, await compress(content));
  }),
);
