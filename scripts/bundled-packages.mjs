/**
 * What a build has put into the files of a package: the packages of others, for their licenses and for the list of a
 * release.
 */
import fs from 'node:fs';
import path from 'node:path';

/**
 * The packages with code in the outputs of builds, by the metafiles of esbuild, and those of which files are copied.
 */
export function bundledPackages(project, metafiles, copied = []) {
  const folders = new Set(copied.map((name) => path.join(project, 'node_modules', name)));
  for (const { outputs } of metafiles)
    for (const { inputs } of Object.values(outputs))
      for (const [input, { bytesInOutput }] of Object.entries(inputs)) {
        const [folder] = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input) ?? [];
        if (folder !== undefined && bytesInOutput > 0) folders.add(path.join(project, folder));
      }
  return [...folders].map(describe).toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

function describe(folder) {
  const read = (file) => fs.readFileSync(path.join(folder, file), 'utf8').trim();
  const { name, version, license } = JSON.parse(read('package.json'));
  const names = fs.readdirSync(folder).toSorted();
  const texts = names.filter((file) => /^(?:licen[cs]e|notice|copying)/i.test(file)).map(read);
  // Some packages name theirs in the Readme only.
  const readme = names.find((file) => /^readme/i.test(file));
  const [chapter = '', named] =
    /^#+ licen[cs]e\s+\(?(?:the )?([\w.-]+)[^]*$/im.exec(readme === undefined ? '' : read(readme)) ?? [];
  return { name, version, license: license ?? named, text: texts.join('\n\n') || chapter.trim() };
}

/**
 * Writes the licenses of packages into `BUNDLED-LICENSES.txt` of a folder, and their names and versions into
 * `bundled.json`.
 */
export function writeBundled(folder, packages) {
  if (packages.length === 0) return;
  const chapters = packages.map(
    ({ name, version, license, text }) => `${name} ${version} (${license})\n\n${text}`.trim() + '\n',
  );
  fs.writeFileSync(path.join(folder, 'BUNDLED-LICENSES.txt'), chapters.join(`\n${'-'.repeat(80)}\n\n`));
  const rows = packages.map(({ name, version, license }) => ({ name, version, license }));
  fs.writeFileSync(path.join(folder, 'bundled.json'), `${JSON.stringify(rows, null, 2)}\n`);
}
