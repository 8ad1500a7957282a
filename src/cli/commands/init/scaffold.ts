import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fullName, packagesOfPlugins, rowOf, type OptionalPackage } from '../../../config/optional-package.js';
import { packageFolder } from '../../../config/package-folder.js';
import { makeDefinition } from '../generate/make-definition.js';
import { parseAttribute } from '../generate/parse-attribute.js';

/** The packages of Content Service in package.json, by name. */
export interface PackageSpecs {
  readonly production: Readonly<Record<string, string>>;
  /** For development and tests only. */
  readonly development: Readonly<Record<string, string>>;
}

interface Project {
  readonly name: string;
  /** The first content type, in the singular. */
  readonly type: string;
  readonly packages: PackageSpecs;
  /** The packages whose plugins it turns on. */
  readonly plugins: readonly OptionalPackage[];
  /** A new random secret for each call. */
  readonly secret: () => string;
}

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

/** The files of a new project, by their paths in its folder. */
export function scaffold(project: Project): ReadonlyMap<string, string> {
  const attributes = ['title:string!', 'slug:uid:title', 'body:richtext', 'cover:media'].map(parseAttribute);
  const definition = makeDefinition({ kind: 'type', name: project.type, attributes });
  // Nothing is published or lost by one click.
  const options = { draftAndPublish: true, workingCopies: true, trash: 30 };
  const { pluralName } = (definition.content as { readonly info: { readonly pluralName: string } }).info;
  return new Map([
    ['package.json', json(packageJson(project))],
    [`content-types/${definition.path}`, json({ $schema: schema('content-type'), ...definition.content, options })],
    ['content-types/access.json', json(access(project.type))],
    ['config/plugins.js', pluginsFile(project.plugins)],
    ['config/database.js', database],
    [`tests/${project.type}.test.js`, exampleTest(project.type, pluralName)],
    ['.env', env(project.secret)],
    ['.env.example', env(() => '')],
    ['.gitignore', 'node_modules/\n.data/\n.env\n'],
    ...['.dockerignore', 'Dockerfile', 'compose.yaml'].map((name) => [name, deploymentFile(name)] as const),
    ['README.md', readme(project, pluralName)],
  ]);
}

/** A file that the documentation shows too. */
const deploymentFile = (name: string): string =>
  readFileSync(path.join(packageFolder, 'docs', 'deployment', name), 'utf8');

const schema = (name: string): string => `../node_modules/content-service/schemas/${name}.schema.json`;

const packageJson = ({ name, packages }: Project): object => ({
  name,
  version: '0.1.0',
  private: true,
  type: 'module',
  engines: { node: '^20.19.0 || >=22' },
  scripts: {
    start: 'content-service start',
    dev: 'content-service dev',
    test: 'node --test',
    types: 'content-service types --out types/content.d.ts',
  },
  dependencies: packages.production,
  devDependencies: packages.development,
});

const auth = (names: readonly string[]): readonly string[] =>
  names.map((name) => `plugin::users-permissions.auth.${name}`);

/**
 * Anonymous clients read published entries and can log in, but not register; authenticated users can also change their
 * password; editors write entries, see drafts, and use the library of files.
 */
const access = (type: string): object => {
  const actions = (names: readonly string[]): readonly string[] => names.map((name) => `api::${type}.${type}.${name}`);
  const read = actions(['find', 'findOne']);
  const account = [...auth(['changePassword']), 'plugin::users-permissions.user.me'];
  return {
    $schema: schema('access'),
    roles: {
      public: {
        permissions: [...read, ...auth(['callback', 'connect', 'forgotPassword', 'resetPassword'])],
      },
      authenticated: { permissions: [...read, ...account] },
      editor: {
        name: 'Editor',
        description: 'Writes content in the editor.',
        permissions: [
          ...read,
          ...actions(['create', 'update', 'delete', 'find.drafts']),
          ...['find', 'findOne', 'upload', 'destroy'].map((name) => `plugin::upload.content-api.${name}`),
          ...account,
        ],
      },
    },
    tokens: { editor: { type: 'full-access', key: { env: 'EDITOR_TOKEN' } } },
  };
};

const env = (secret: () => string): string => `# Secrets: keep this file out of version control.
JWT_SECRET=${secret()}
API_TOKEN_SALT=${secret()}
# The key of the API token "editor" in content-types/access.json, with all permissions.
EDITOR_TOKEN=${secret()}

# Drafts are for callers with the permission <uid>.find.drafts, and for preview links.
DRAFTS=restricted

# Production needs a MongoDB, e.g. mongodb://localhost:27017/content
# MONGODB_URI=
`;

const pluginsFile = (packages: readonly OptionalPackage[]): string => `export default ({ env }) => ({
  // Containers lose data on their own disk, so in production files are stored in the database.
  // What editors delete is kept for 30 days.
  upload: { config: { provider: env('NODE_ENV') === 'production' ? 'gridfs' : 'local', trash: 30 } },
${[...packagesOfPlugins]
  .filter(([, name]) => packages.includes(name) && rowOf(name).runs !== 'always')
  .map(([plugin]) => `  ${plugin}: true,\n`)
  .join('')}});
`;

const database = `// Texts are compared and sorted as PostgreSQL does it: "apple" before "Zebra". \`sqlite\` needs smaller indexes, and sorts by code points.
// To change it once there is data, run \`npx content-service migrate\`.
export default { connection: { client: 'postgres' } };
`;

const exampleTest = (type: string, plural: string): string => `import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createTestService } from 'content-service/testing';

const uid = 'api::${type}.${type}';
let service;
before(async () => {
  service = await createTestService({ environment: { DRAFTS: 'restricted' } });
});
after(() => service?.close());

test('the public reads what is published, and no drafts', async () => {
  const { id, slug } = await service.entries.create(uid, { title: 'On Bread' });
  assert.equal(slug, 'on-bread');
  await service.entries.create(uid, { title: 'Not yet', publishedAt: null });
  const response = await fetch(\`\${service.url}/api/${plural}?publicationState=preview\`);
  const { data } = await response.json();
  assert.deepEqual(
    data.map((entry) => entry.id),
    [id],
  );
});

test('the public does not write', async () => {
  const body = JSON.stringify({ data: { title: 'x' } });
  const headers = { 'Content-Type': 'application/json' };
  const { status } = await fetch(\`\${service.url}/api/${plural}\`, { method: 'POST', headers, body });
  assert.equal(status, 403);
});
`;

/** Whether packages are files of the project. */
const hasFiles = ({ production, development }: PackageSpecs): boolean =>
  Object.values({ ...production, ...development }).some((spec) => spec.startsWith('file:'));

const readme = ({ name, type, packages }: Project, plural: string): string => `# ${name}

A content API: REST at \`/api/${plural}\`, GraphQL at \`/graphql\`.

\`\`\`sh
npm install
npm test
npm run dev        # http://localhost:1337 lists the content types and the documentation of the API
\`\`\`

| File                        | Contents                                                            |
| --------------------------- | ------------------------------------------------------------------- |
| \`content-types/\`            | one file for each content type; \`npx content-service generate type\` |
| \`content-types/access.json\` | roles, their permissions, API tokens                                |
| \`config/plugins.js\`         | settings of the plugins                                             |
| \`config/database.js\`        | how texts are compared and sorted                                   |
| \`extensions/index.js\`       | your code: lifecycles, routes, policies (create it)                 |
| \`.env\`                      | settings and secrets; \`.env.example\` has their names                |
| \`tests/\`                    | tests against a service of their own                                |
${hasFiles(packages) ? '| `*.tgz`                     | packages that are in no registry: keep them with the project        |\n' : ''}
Write with the token of \`.env\`:

\`\`\`sh
. ./.env
curl http://localhost:1337/api/${plural} -H "Authorization: Bearer $EDITOR_TOKEN" \\
  -H 'Content-Type: application/json' -d '{ "data": { "title": "On Bread" } }'
\`\`\`

${packages.production[fullName('editor')] === undefined ? `Run \`npx content-service add editor\` to write` : 'Write'} in the browser, at <http://localhost:1337/admin>: the log of the first start has a link that creates the first user.
\`npx content-service access user create ann@example.org --role editor\` creates others, and prints a password.

Drafts are hidden from the public. \`npx content-service preview-link api::${type}.${type} 1\` prints a URL that shows one of them.

Production: \`docker compose up --build\` starts the service and a MongoDB replica set.
`;
