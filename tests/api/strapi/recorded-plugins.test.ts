import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { minutes } from '../../support/scaled.js';
import { openProjectFolder, type RunningProject } from './project-folder.js';

/** Plugins of npm in a project, as recorded of Strapi 4.26.2: see docs/internals/strapi-code.md. */
const place = path.resolve('tests/fixtures/npm-plugins');

interface Answer {
  readonly status: number;
  readonly body: unknown;
  /** The header `X-Cache`, if there is one. */
  readonly cache?: string;
}

interface Step {
  readonly method: string;
  readonly path: string;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
  /** The member of the body that is the token of later steps. */
  readonly keeps?: string;
  /** It has the token. */
  readonly sends?: string;
  readonly expect: Answer;
  /** The answer of the service, if it is another for a reason. */
  readonly here?: Answer;
  readonly reason?: string;
}

interface Recording {
  readonly package: string;
  readonly version: string;
  /** `config/plugins`. */
  readonly plugins: object;
  readonly files?: Readonly<Record<string, string>>;
  readonly steps: readonly Step[];
}

const recordings = fs
  .readdirSync(place)
  .filter((name) => name.endsWith('.json'))
  .map((name) => JSON.parse(fs.readFileSync(path.join(place, name), 'utf8')) as Recording);

const unpacked = fs.mkdtempSync(path.join(os.tmpdir(), 'npm-plugins-'));
afterAll(() => fs.rmSync(unpacked, { recursive: true }));

/** The server code of the package and of what it needs. @returns its folder */
function unpack(name: string): string {
  const modules = path.join(unpacked, name, 'node_modules');
  fs.mkdirSync(modules, { recursive: true });
  const archive = path.join(place, 'archives', `${name.replace('strapi-plugin-', '')}.tgz`);
  execFileSync('tar', ['-xzf', archive, '-C', modules]);
  return path.join(modules, name);
}

const open = ({ package: name, version, plugins, files }: Recording): Promise<RunningProject> => {
  const project = path.join(place, 'project');
  const ofProject = fs.readdirSync(project, { recursive: true, withFileTypes: true }).flatMap((entry) => {
    const file = path.join(entry.parentPath, entry.name);
    return entry.isFile() ? [[path.relative(project, file), fs.readFileSync(file, 'utf8')] as const] : [];
  });
  const settings = { 'users-permissions': { config: { ratelimit: { enabled: false } } }, ...plugins };
  return openProjectFolder(
    {
      ...Object.fromEntries(ofProject),
      ...files,
      'package.json': JSON.stringify({ dependencies: { '@strapi/strapi': '4.26.2', [name]: version } }),
      'config/plugins.js': `module.exports = ${JSON.stringify(settings)};`,
      'config/server.js': "module.exports = { app: { keys: ['one', 'two'] }, cron: { enabled: true } };",
    },
    [unpack(name)],
  );
};

/** Without what differs between runs. */
const comparable = (text: string): string =>
  text.replaceAll(/20[0-2]\d-\d\d-\d\dT[\d:.]+Z/g, '<time>').replaceAll(/127\.0\.0\.1:\d+/g, '<host>');

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

test.each(recordings.map((recording) => [recording.package, recording] as const))(
  '%s answers as in Strapi 4.26.2',
  async (_name, recording) => {
    const project = await open(recording);
    const answers: { readonly step: string; readonly answer: Answer }[] = [];
    let token = '';
    for (const { method, path: to, body, headers, keeps, sends } of recording.steps) {
      const response = await project.fetch(encodeURI(to).replaceAll('%25', '%'), {
        method,
        headers: {
          ...headers,
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...(sends !== undefined && { authorization: `Bearer ${token}` }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      const received = parse(comparable(await response.text()));
      if (keeps !== undefined) {
        const kept = received as Record<string, unknown>;
        token = String(kept[keeps]);
        kept[keeps] = '<token>';
      }
      const cache = response.headers.get('x-cache');
      const answer = { status: response.status, body: received, ...(cache !== null && { cache }) };
      answers.push({ step: `${method} ${to}`, answer });
    }
    await project.stop();
    expect(answers).toEqual(
      recording.steps.map(({ method, path: to, expect: recorded, here = recorded }) => ({
        step: `${method} ${to}`,
        answer: here,
      })),
    );
  },
  minutes(2),
);

test('each answer that differs has its reason', () => {
  const differing = recordings.flatMap(({ steps }) => steps.filter(({ here }) => here !== undefined));
  expect(differing.filter(({ reason }) => reason === undefined)).toEqual([]);
  expect([recordings.length, recordings.flatMap(({ steps }) => steps).length, differing.length]).toEqual([12, 343, 4]);
});
