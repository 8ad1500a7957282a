/**
 * Adds to package-lock.json the optional packages for other systems that a registry with a part of all packages left
 * out: `npm ci` refuses a lock file without them. Run after `npm install` where that happens; elsewhere it adds
 * nothing.
 */
import fs from 'node:fs';

const systems = ['android', 'darwin', 'freebsd', 'win32', 'linux', 'openharmony', 'sunos', 'aix', 'netbsd', 'openbsd'];
const processors = ['arm64', 'x64', 'ia32', 'riscv64', 'ppc64', 's390x', 'loong64', 'mips64el', 'wasm32', 'arm'];
const libraries = { musl: ['musl'], gnu: ['glibc'] };

const lock = JSON.parse(fs.readFileSync('package-lock.json', 'utf8'));
const { packages } = lock;
const missing = Object.entries(packages).flatMap(([path, entry]) =>
  Object.entries(entry.optionalDependencies ?? {})
    .filter(([name, version]) => /^\d/.test(version) && !isLocked(path, name))
    .map(([name, version]) => [`node_modules/${name}`, describe(name, version, entry)]),
);
Object.assign(packages, Object.fromEntries(missing));
lock.packages = Object.fromEntries(Object.entries(packages).toSorted(([a], [b]) => (a < b ? -1 : 1)));
fs.writeFileSync('package-lock.json', `${JSON.stringify(lock, null, 2)}\n`);
console.log(`${missing.length} packages added`);

function isLocked(path, name) {
  return `${path}/node_modules/${name}` in packages || `node_modules/${name}` in packages;
}

/** The platform of a package is in its name: `@scope/tool-linux-x64-musl`. */
function describe(name, version, { dev }) {
  const part = (list) => list.find((one) => name.split('/').pop().includes(one));
  const [system, processor, library] = [part(systems), part(processors), part(Object.keys(libraries))];
  return {
    version,
    ...(processor && { cpu: [processor] }),
    ...(dev && { dev }),
    optional: true,
    ...(system && { os: [system] }),
    ...(system === 'linux' && library && { libc: libraries[library] }),
  };
}
