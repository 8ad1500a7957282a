/**
 * `node scripts/weigh-install.mjs` says what an installation of the service for production has: packages and bytes, and
 * what each dependency brings that no other one needs. From the lock file and `node_modules` of this clone, without the
 * service itself.
 */
import fs from 'node:fs';
import path from 'node:path';

const project = path.dirname(import.meta.dirname);
const { packages } = JSON.parse(fs.readFileSync(path.join(project, 'package-lock.json'), 'utf8'));
const names = Object.keys(packages[''].dependencies);
const brought = new Map(names.map((name) => [name, closureOf(name)]));
const users = new Map();
for (const places of brought.values()) for (const place of places) users.set(place, (users.get(place) ?? 0) + 1);

const sizes = new Map([...users.keys()].map((place) => [place, sizeOf(path.join(project, place))]));
const sum = (places) => places.reduce((bytes, place) => bytes + sizes.get(place), 0);
const megabytes = (bytes) => (bytes / 1e6).toFixed(1);
const all = [...users.keys()];
const optional = all.filter((place) => packages[place].optional === true);
console.log(`${all.length} packages, ${megabytes(sum(all))} MB`);
console.log(`${optional.length} of them optional, ${megabytes(sum(optional))} MB`);
const rows = names.map((name) => {
  const own = [...brought.get(name)].filter((place) => users.get(place) === 1);
  return { name, packages: own.length, bytes: sum(own) };
});
for (const { name, packages: count, bytes } of rows.toSorted((a, b) => b.bytes - a.bytes))
  console.log(`  ${name}: ${count} packages of its own, ${megabytes(bytes)} MB`);

/** The places of a package and all that it needs, as far as they are installed on this system. */
function closureOf(name, from = '', found = new Set()) {
  const place = placeOf(name, from);
  if (place === undefined || found.has(place)) return found;
  if (!fs.existsSync(path.join(project, place))) return found;
  found.add(place);
  const { dependencies, optionalDependencies } = packages[place];
  for (const needed of Object.keys({ ...dependencies, ...optionalDependencies })) closureOf(needed, place, found);
  return found;
}

/** Where Node finds a package that another one asks for: beside it, or further up. */
function placeOf(name, from) {
  const place = `${from === '' ? '' : `${from}/`}node_modules/${name}`;
  if (packages[place] !== undefined) return place;
  return from === '' ? undefined : placeOf(name, from.slice(0, Math.max(0, from.lastIndexOf('/node_modules/'))));
}

/** The bytes of the files of a package, without the packages in it. */
function sizeOf(folder) {
  return fs
    .readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => name !== 'node_modules')
    .reduce((bytes, entry) => {
      const place = path.join(folder, entry.name);
      return bytes + (entry.isDirectory() ? sizeOf(place) : fs.lstatSync(place).size);
    }, 0);
}
