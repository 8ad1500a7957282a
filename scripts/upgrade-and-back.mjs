/**
 * `node scripts/upgrade-and-back.mjs <commit>` upgrades a project from the version of a commit to this one, writes with
 * each feature that the older version does not have, and goes back, on one database and by the commands of
 * docs/upgrading.md. It compares the same requests at each step, and says which stored data the older version leaves
 * alone. `npm run build` comes first; `MONGODB_URI` names a server, whose database `upgrade` is emptied.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { MongoClient } from 'mongodb';
import { afterReturn, afterSecondUpgrade, features } from './upgrade-and-back/features.mjs';
import { requests } from './upgrade-and-back/requests.mjs';

const clone = path.dirname(import.meta.dirname);
const [commit] = process.argv.slice(2);
if (commit === undefined) throw new Error('Name the commit or the tag of the older version');

const world = path.join(clone, 'tests', 'fixtures', 'archives', '0.1.0');
const work = fs.mkdtempSync(path.join(os.tmpdir(), 'upgrade-'));
const project = path.join(work, 'Mein Dienst (zurück) #1');
const { startMemoryServer } = await import('../dist/mongo/connection/memory-server.js');
const server = process.env.MONGODB_URI === undefined ? await startMemoryServer() : undefined;
const uri = new URL(process.env.MONGODB_URI ?? server.uri);
uri.pathname = '/upgrade';
const client = await new MongoClient(uri.href).connect();
const database = client.db();
const editorToken = 'a-token-of-the-archive';
const environment = {
  ...process.env,
  NODE_ENV: 'production',
  MONGODB_URI: uri.href,
  HOST: '127.0.0.1',
  PORT: '0',
  JWT_SECRET: 'a secret of the upgrade and back',
  API_TOKEN_SALT: 'the-salt-of-the-archives',
  EDITOR_TOKEN: editorToken,
};
const before = { options: {}, plugins: { mcp: true } };
const after = {
  options: { workingCopies: true, trash: 30 },
  plugins: { ...before.plugins, versions: true, strapi5: true, audit: { config: { key: 'k'.repeat(40) } } },
};

try {
  await database.dropDatabase();
  const older = packOlder();
  const newer = packNewer();
  fs.mkdirSync(path.join(project, 'config'), { recursive: true });
  fs.writeFileSync(path.join(project, 'package.json'), '{ "name": "upgrade", "private": true }\n');

  title('The older version');
  npm('install', ...older);
  use(before);
  run('import', path.join(world, 'export.tar.gz'));
  const { jwt, first } = await served(async (service) => {
    const body = { identifier: 'ada', password: 'correct-horse-9' };
    const { jwt } = JSON.parse(await service.done('POST', '/api/auth/local', body));
    return { jwt, first: await service.answers(jwt) };
  });
  console.log(`${first.size} answers recorded`);
  const manifests = ['package.json', 'package-lock.json'].map((name) => path.join(project, name));
  const kept = manifests.map((file) => fs.readFileSync(file));
  const fieldsBefore = await storedFields();

  title('The upgrade');
  npm('install', ...newer);
  tryOut('check-data');
  compare(first, await served((service) => service.answers(jwt)));

  title('What the older version does not have');
  use(after);
  run('migrate', '--apply');
  const written = await served(async (service) => {
    for (const { name, steps } of features) {
      for (const step of steps) await service.done(...step);
      console.log(`written: ${name}`);
    }
    return service.answers(jwt);
  });
  tryOut('check-data');
  run('export', path.join(work, 'after.tar.gz'));
  const isOld = (name) => [...fieldsBefore.keys()].some((field) => field.startsWith(`${name}.`));
  // Of collections that are new, one field stands for all.
  const left = [...(await storedFields())].filter(
    ([field]) => !fieldsBefore.has(field) && (field.endsWith('._id') || isOld(collectionOf(field))),
  );

  title('Back, with the settings of the newer version');
  manifests.forEach((file, index) => fs.writeFileSync(file, kept[index]));
  npm('ci');
  tryOut('check-data');

  title('Back, with the settings of before');
  use(before);
  tryOut('check-data');
  compare(written, await served((service) => service.answers(jwt)));
  await served(async (service) => {
    for (const step of afterReturn) await service.done(...step);
  });
  tryOut('check-data');
  const fieldsNow = await storedFields();
  for (const [field, count] of left) console.log(`  ${field}: ${count} documents, then ${fieldsNow.get(field) ?? 0}`);

  title('The upgrade again');
  npm('install', ...newer);
  use(after);
  tryOut('check-data');
  run('migrate', '--apply');
  await served(async (service) => {
    for (const [method, where, body] of afterSecondUpgrade) {
      const { status, text } = await service.send(method, where, body);
      console.log(`  ${String(where)}: ${status} ${text.slice(0, 200)}`);
    }
  });
  tryOut('check-data');

  title('Back by an archive of the newer version');
  manifests.forEach((file, index) => fs.writeFileSync(file, kept[index]));
  npm('ci');
  use(before);
  await database.dropDatabase();
  tryOut('import', path.join(work, 'after.tar.gz'));
} finally {
  await client.close();
  await server?.stop();
  fs.rmSync(work, { recursive: true });
}

/**
 * The file of the older version, built from its commit; kept beside other temporary files, because that takes minutes.
 */
function packOlder() {
  const folder = path.join(os.tmpdir(), `content-service-${commit}`);
  const packed = () => fs.readdirSync(folder).filter((name) => name.endsWith('.tgz'));
  if (!fs.existsSync(folder) || packed().length === 0) {
    fs.rmSync(folder, { recursive: true, force: true });
    command('git', ['clone', '--quiet', '--shared', clone, folder], clone);
    command('git', ['checkout', '--quiet', commit], folder);
    // In production npm leaves out what the build needs.
    command('npm', ['ci', '--ignore-scripts', '--include=dev', '--prefer-offline'], folder);
    command('npm', ['pack'], folder);
  }
  return packed().map((name) => path.join(folder, name));
}

/** The files of this version, as it is built. */
function packNewer() {
  const names = [
    'content-service',
    ...['audit', 'mcp', 'strapi5', 'versions'].map((name) => `@content-service/${name}`),
  ];
  const files = command(process.execPath, [path.join(clone, 'scripts', 'pack.mjs'), work, ...names], clone);
  return files
    .trim()
    .split('\n')
    .map((name) => path.join(work, name));
}

function npm(...args) {
  command('npm', [...args, '--prefer-offline', '--no-audit', '--no-fund'], project);
  console.log(`npm ${args[0]}: content-service ${run('--version').trim()}`);
}

/** Writes the content types and the plugins of the project. */
function use({ options, plugins }) {
  fs.cpSync(path.join(world, 'content-types'), path.join(project, 'content-types'), { recursive: true });
  const file = path.join(project, 'content-types', 'article.json');
  const definition = JSON.parse(fs.readFileSync(file, 'utf8'));
  fs.writeFileSync(file, JSON.stringify({ ...definition, options: { ...definition.options, ...options } }));
  fs.writeFileSync(path.join(project, 'config', 'plugins.js'), `module.exports = ${JSON.stringify(plugins)};\n`);
}

/** Runs a command of the installed service. */
function run(...args) {
  return command(path.join('node_modules', '.bin', 'content-service'), args, project);
}

/** Runs a command that may be refused, and says how it ended. */
function tryOut(...args) {
  const options = { cwd: project, env: environment, encoding: 'utf8' };
  const { status, stdout, stderr } = spawnSync(path.join('node_modules', '.bin', 'content-service'), args, options);
  console.log(
    `content-service ${args[0]}: exit code ${status}\n${`${stdout}${stderr}`.trim().replaceAll(/^/gm, '  ')}`,
  );
}

function command(name, args, cwd) {
  const { status, stdout, stderr } = spawnSync(name, args, { cwd, env: environment, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${name} ${args.join(' ')} ended with ${status}:\n${stdout}${stderr}`);
  return stdout;
}

/** Starts the installed service, uses it and stops it. */
async function served(use) {
  const service = spawn(path.join('node_modules', '.bin', 'content-service'), ['start'], {
    cwd: project,
    env: environment,
  });
  const ended = once(service, 'exit');
  try {
    return await use(clientOf(await addressOf(service)));
  } finally {
    service.kill('SIGTERM');
    await ended;
  }
}

/** @throws Error with the output, if it ends before it is ready */
function addressOf(service) {
  return new Promise((resolve, reject) => {
    let output = '';
    const read = (part) => {
      output += part;
      const [, url] = /Ready on (http:\/\/[^ "]+)/.exec(output) ?? [];
      if (url !== undefined) resolve(url);
    };
    for (const stream of [service.stdout, service.stderr]) stream.setEncoding('utf8').on('data', read);
    service.once('exit', () => reject(new Error(output)));
  });
}

function clientOf(url) {
  const send = async (method, where, body, authorization = `Bearer ${editorToken}`) => {
    const headers = {
      ...(authorization !== '' && { authorization }),
      ...(body && { 'content-type': 'application/json' }),
    };
    const response = await fetch(url + where, { method, headers, body: body && JSON.stringify(body) });
    return { status: response.status, text: await response.text() };
  };
  const done = async (...request) => {
    const { status, text } = await send(...request);
    if (status >= 300) throw new Error(`${request.slice(0, 2).join(' ')}: ${status} ${text}`);
    return text;
  };
  const answers = async (jwt) => {
    const callers = { visitor: '', token: `Bearer ${editorToken}`, user: `Bearer ${jwt}` };
    const found = new Map();
    for (const [caller, authorization] of Object.entries(callers))
      for (const [name, [method, where, body]] of requests) {
        const { status, text } = await send(method, where, body, authorization);
        found.set(`${name} as ${caller}`, `${status} ${text}`);
      }
    return found;
  };
  return { send, done, answers };
}

/** Says how many answers differ, and which. */
function compare(expected, actual) {
  const different = [...expected].filter(([name, answer]) => actual.get(name) !== answer);
  console.log(`${expected.size} answers compared, ${different.length} are different`);
  for (const [name, answer] of different) console.log(`  ${name}\n    ${differenceOf(answer, actual.get(name))}`);
}

/** The first place in which two texts differ, in both. */
function differenceOf(one, other) {
  const index = [...one].findIndex((letter, at) => letter !== [...other][at]);
  const start = Math.max(0, index - 40);
  return [one, other].map((text) => text.slice(start, start + 120)).join('\n    ');
}

/** How many documents have each field, by collection and name. */
async function storedFields() {
  const counts = new Map();
  for (const { name } of await database.listCollections().toArray()) {
    const pipeline = [
      { $project: { names: { $map: { input: { $objectToArray: '$$ROOT' }, in: '$$this.k' } } } },
      { $unwind: '$names' },
      { $group: { _id: '$names', count: { $sum: 1 } } },
    ];
    for (const { _id, count } of await database.collection(name).aggregate(pipeline).toArray())
      counts.set(`${name}.${_id}`, count);
  }
  return counts;
}

/** Names of collections have dots, such as `_trash.articles`; those of fields have none. */
function collectionOf(field) {
  return field.slice(0, field.lastIndexOf('.'));
}

function title(text) {
  console.log(`\n${text}`);
}
