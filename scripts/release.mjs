/**
 * `npm run release -- 0.2.0` makes a release: it dates the section of the changelog, sets the version, commits, tags
 * the commit `v0.2.0`, and sets the version that comes next. `npm run release` on such a tag writes all that is
 * published to the folder `release`: packages, a list of what they depend on, checksums, and the text of the release.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { inVersion, packageFolders } from './packages.mjs';

const project = path.dirname(import.meta.dirname);
const at = (...names) => path.join(project, ...names);

function makeRelease(next) {
  if (!/^\d+\.\d+\.\d+$/.test(next)) stop(`${next} is no version such as 0.2.0`);
  if (run('git', 'status', '--porcelain') !== '') stop('Commit your changes first: a release is a commit');
  const planned = versionHere().replace(/-dev$/, '');
  if (compare(next, planned) < 0) stop(`${next} is lower than ${planned}, which comes next by package.json`);
  if (run('git', 'tag', '--list', `v${next}`) !== '') stop(`The tag v${next} exists`);
  const changelog = fs.readFileSync(at('CHANGELOG.md'), 'utf8');
  const heading = /^## (\S+) – not released yet$/m.exec(changelog);
  if (heading === null) stop('CHANGELOG.md has no section "## <version> – not released yet"');
  const day = new Date().toISOString().slice(0, 10);
  fs.writeFileSync(at('CHANGELOG.md'), changelog.replace(heading[0], `## ${next} – ${day}`));
  if (sectionOf(next) === '') stop(`The section of ${next} in CHANGELOG.md is empty`);
  setVersion(next);
  run('git', 'commit', '--all', '--message', `Release ${next}`);
  run('git', 'tag', '--annotate', `v${next}`, '--message', `Release ${next}`);
  const [major, minor] = next.split('.').map(Number);
  const following = `${major}.${minor + 1}.0`;
  const released = fs.readFileSync(at('CHANGELOG.md'), 'utf8');
  fs.writeFileSync(at('CHANGELOG.md'), released.replace(/^## /m, `## ${following} – not released yet\n\n## `));
  setVersion(`${following}-dev`);
  run('git', 'commit', '--all', '--message', `Begin ${following}`);
  console.log(
    `v${next} is tagged. Publish it with git push --follow-tags, or write its files with git checkout v${next} && npm run release`,
  );
}

function writeRelease() {
  const released = versionHere();
  const tags = run('git', 'tag', '--points-at', 'HEAD').split('\n');
  if (!tags.includes(`v${released}`))
    stop(`This commit has no tag v${released}: npm run release -- <version> makes a release`);
  if (run('git', 'status', '--porcelain', '--untracked-files=no') !== '') stop('Files differ from the tag');
  const text = sectionOf(released);
  if (text === '') stop(`CHANGELOG.md has no section of ${released}`);
  run(process.execPath, at('scripts', 'pack.mjs'));
  const write = (name, content) => fs.writeFileSync(at('release', name), content);
  write('sbom.cdx.json', `${JSON.stringify(withBundled(componentsInstalled()), null, 2)}\n`);
  write('RELEASE.md', `${text}\n\n${howToInstall(released)}`);
  const names = fs.readdirSync(at('release')).toSorted();
  const sums = names.map(
    (name) =>
      `${createHash('sha256')
        .update(fs.readFileSync(at('release', name)))
        .digest('hex')}  ${name}\n`,
  );
  write('SHA256SUMS', sums.join(''));
  console.log([...names, 'SHA256SUMS'].map((name) => path.join('release', name)).join('\n'));
}

const componentsInstalled = () =>
  JSON.parse(run('npm', 'sbom', '--sbom-format', 'cyclonedx', '--omit', 'dev', '--package-lock-only'));

/**
 * A list of components, with those that are built into files of a package, and which npm therefore does not install.
 */
function withBundled(list) {
  const files = packageFolders(project).flatMap((folder) =>
    ['dist/bundled.json', 'dist/browser/bundled.json'].map((name) => path.join(folder, name)).filter(fs.existsSync),
  );
  const purls = new Set(list.components.map(({ purl }) => purl));
  const components = files.flatMap((file) =>
    JSON.parse(fs.readFileSync(file, 'utf8')).map(({ name, version, license }) => ({
      type: 'library',
      'bom-ref': `bundled|${name}@${version}`,
      name,
      version,
      purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
      licenses: [{ expression: license }],
      properties: [{ name: 'cdx:npm:package:bundled', value: 'true' }],
    })),
  );
  const added = new Map(components.filter(({ purl }) => !purls.has(purl)).map((one) => [one.purl, one]));
  return { ...list, components: [...list.components, ...added.values()] };
}

const howToInstall = (released) => `## Install

Put the files that you need into your project, and check them with \`sha256sum --check --ignore-missing SHA256SUMS\`:

\`\`\`sh
npm install ./content-service-${released}.tgz ./content-service-editor-${released}.tgz
npm install --save-dev ./content-service-embedded-mongod-${released}.tgz
\`\`\`

\`sbom.cdx.json\` lists what they depend on, in the format of CycloneDX.
`;

/** The lines of a version in the changelog, without its heading. */
function sectionOf(wanted) {
  const sections = fs.readFileSync(at('CHANGELOG.md'), 'utf8').split(/^## /m);
  const section = sections.find((text) => text.startsWith(`${wanted} `)) ?? '';
  return section.slice(section.indexOf('\n')).trim();
}

const versionHere = () => JSON.parse(fs.readFileSync(at('package.json'), 'utf8')).version;

/** In each `package.json` and the lock. */
function setVersion(next) {
  const folders = packageFolders(project);
  for (const folder of folders) change(path.join(folder, 'package.json'), (manifest) => inVersion(manifest, next));
  change(at('package-lock.json'), (lock) => {
    const places = folders.map((folder) => path.relative(project, folder).replaceAll(path.sep, '/'));
    const own = places.map((place) => [place, inVersion(lock.packages[place], next)]);
    return { ...lock, version: next, packages: { ...lock.packages, ...Object.fromEntries(own) } };
  });
}

function change(file, edit) {
  const changed = edit(JSON.parse(fs.readFileSync(file, 'utf8')));
  fs.writeFileSync(file, `${JSON.stringify(changed, null, 2)}\n`);
}

function compare(one, other) {
  const [left, right] = [one, other].map((text) => text.split('.').map(Number));
  const differing = left.findIndex((part, index) => part !== right[index]);
  return differing < 0 ? 0 : left[differing] - right[differing];
}

function run(command, ...args) {
  const shell = process.platform === 'win32' && command === 'npm';
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd: project,
    shell,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  });
  if (status !== 0) stop(`${[command, ...args].join(' ')} failed:\n${stdout}${stderr}`);
  return stdout.trim();
}

function stop(message) {
  console.error(message);
  process.exit(1);
}

const [version] = process.argv.slice(2);
if (version === undefined) writeRelease();
else makeRelease(version);
