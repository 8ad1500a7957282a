import fs from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';

/** Bytes of a script that costs less in the first one than a request of its own does. */
const SMALL = 8000;

/**
 * Joins the scripts that a page needs before anything else into one, with small ones that several pages share: a build
 * with splitting makes a script of each set of modules that are loaded together, and a browser asks for six at a time.
 * All scripts are then in a folder that is named after the content of the first one, which the others import.
 * @param metafile of a build with splitting, into the folder `from`
 * @param entry the path of the output that the page begins with
 * @returns the path of the first script below the folder `into`
 */
export async function joinScripts({ metafile, from, entry, into }) {
  const outputs = new Map(
    Object.entries(metafile.outputs)
      .filter(([file]) => file.endsWith('.js'))
      .map(([file, output]) => [path.basename(file), output]),
  );
  const first = path.basename(entry);
  const joined = importedBy(first, outputs);
  for (const [name, { entryPoint }] of outputs) {
    const added = [name, ...importedBy(name, outputs)].filter((one) => !joined.has(one) && one !== first);
    const bytes = added.reduce((sum, one) => sum + outputs.get(one).bytes, 0);
    if (entryPoint === undefined && bytes <= SMALL) for (const one of added) joined.add(one);
  }
  joined.delete(first);
  const exported = [...joined].map((name, index) => [
    name,
    outputs.get(name).exports.map((one) => [one, `joined${index}_${one}`]),
  ]);
  const common = { absWorkingDir: from, bundle: true, format: 'esm', minify: true, metafile: true, target: 'es2022' };
  const lines = exported.map(([name, names]) => reExport(names, `./${name}`));
  const ahead = await build({
    ...common,
    legalComments: 'none',
    stdin: { contents: [`import './${first}';`, ...lines].join('\n'), resolveDir: from, sourcefile: 'first.js' },
    outdir: into,
    entryNames: 'editor-[hash]',
    plugins: [leave((name, kind) => kind === 'dynamic-import' || !(joined.has(name) || name === first))],
  });
  const [file = ''] = Object.keys(ahead.metafile.outputs);
  const name = path.basename(file);
  const folder = path.join(into, name.slice('editor-'.length, -'.js'.length).toLowerCase());
  fs.mkdirSync(folder, { recursive: true });
  fs.renameSync(path.join(into, name), path.join(folder, name));
  const namesOf = new Map(exported);
  await build({
    ...common,
    legalComments: 'none',
    entryPoints: [...outputs.keys()]
      .filter((one) => one !== first && !joined.has(one))
      .map((one) => path.join(from, one)),
    outdir: folder,
    entryNames: '[name]',
    plugins: [
      {
        name: 'in the first one',
        setup({ onResolve, onLoad }) {
          onResolve({ filter: /^\.\// }, ({ path: asked }) => {
            const one = asked.slice('./'.length);
            return namesOf.has(one) ? { path: one, namespace: 'joined' } : undefined;
          });
          onLoad({ filter: /.*/, namespace: 'joined' }, ({ path: one }) => ({
            contents: reExport(
              namesOf.get(one).map(([own, inFirst]) => [inFirst, own]),
              `./${name}`,
            ),
          }));
        },
      },
      leave(() => true),
    ],
  });
  return path.relative(into, path.join(folder, name));
}

const reExport = (names, file) =>
  `export { ${names.map(([name, as]) => `${name} as ${as}`).join(', ')} } from '${file}';`;

/** A plugin that leaves imports of other outputs as they are. */
const leave = (isLeft) => ({
  name: 'a script of its own',
  setup({ onResolve }) {
    onResolve({ filter: /^\.\// }, ({ path: asked, kind }) =>
      isLeft(asked.slice('./'.length), kind) ? { path: asked, external: true } : undefined,
    );
  },
});

/** The scripts that one imports at once, and those that these import. */
function importedBy(name, outputs, found = new Set()) {
  for (const { path: file, kind } of outputs.get(name).imports) {
    const imported = path.basename(file);
    if (kind !== 'import-statement' || found.has(imported)) continue;
    found.add(imported);
    importedBy(imported, outputs, found);
  }
  return found;
}
