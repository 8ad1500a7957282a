import { withoutComments } from '../../config/project/without-comments.js';
import { absentMembers, absentRegistries, absentServices, serviceCall } from '../absent-members.js';
import { stores, writeMethods } from '../query-engine/database.js';
import { uidOf } from '../registries/registry.js';

/** The use of something that throws an error with this name. */
export interface Use {
  readonly line: number;
  readonly what: string;
  /** The uid of a service, for those that project code may replace. */
  readonly service?: string;
  /** The component that is written. */
  readonly component?: string;
  /** Why, before what happens: `SQL is not available on MongoDB: `. */
  readonly cause?: string;
  /** What happens instead of an error. */
  readonly consequence?: string;
}

/** A dot with white space around it, and `?.`. */
const dot = String.raw`\s*\??\.\s*`;
/** The dot at the beginning of a pattern: white space before it would be searched in vain all over the source. */
const first = String.raw`\.\s*`;
const quoted = (name: string): string => `['"\`]${name}['"\`]`;
/** A member by its name: `.plugins.upload`, `.plugins['upload']`. */
const member = (name: string): string =>
  /^\w+$/.test(name)
    ? `(?:${dot}${name}\\b|\\s*(?:\\?\\.)?\\[\\s*${quoted(name)}\\s*\\])`
    : `\\s*(?:\\?\\.)?\\[\\s*${quoted(name)}\\s*\\]`;
const called = (method: string, name: string, before = first): string =>
  `${before}${method}\\(\\s*${quoted(name)}\\s*\\)`;

const plugin = (name: string): string => `${first}(?:plugin\\(\\s*${quoted(name)}\\s*\\)|plugins${member(name)})`;
const registered = (uid: string): string =>
  `${called('service', uid)}|${first}services\\s*\\[\\s*${quoted(uid)}\\s*\\]`;
const service = (owner: string, name: string): string =>
  `(?:${plugin(owner)}(?:${called('service', name, dot)}|${dot}services${member(name)})|${registered(`plugin::${owner}\\.${name}`)})`;
const adminService = (name: string): string =>
  `(?:${registered(`admin::${name}`)}|${first}admin${dot}services${member(name)})`;

/** How code reaches the objects with absent members. */
const objects: Readonly<Record<keyof typeof absentMembers, string>> = {
  strapi: String.raw`\bstrapi`,
  'strapi.server': String.raw`\bstrapi${dot}server`,
  'strapi.auth': `(?:\\bstrapi${dot}auth|${called('get', 'auth')})`,
  'strapi.db': String.raw`\bstrapi${dot}db`,
  'strapi.db.query(uid)': String.raw`${first}query\([^()]*\)`,
  'strapi.db.lifecycles': String.raw`\bdb${dot}lifecycles`,
  'strapi.entityService': String.raw`\bstrapi${dot}entityService`,
  'strapi.webhookRunner': String.raw`\bstrapi${dot}webhookRunner`,
  '@strapi/strapi': `require\\(\\s*${quoted('@strapi/strapi')}\\s*\\)`,
  '@strapi/utils': `(?:\\butils|require\\(\\s*${quoted('@strapi/utils')}\\s*\\))`,
  factories: String.raw`\bfactories`,
  'strapi.plugin(name)': `${first}(?:plugin\\(\\s*['"\`][\\w-]+['"\`]\\s*\\)|plugins(?:${dot}\\w+|\\[\\s*['"\`][\\w-]+['"\`]\\s*\\]))`,
  'strapi.db.metadata': String.raw`\bdb${dot}metadata`,
  'strapi.db.entityManager': String.raw`\bdb${dot}entityManager`,
  "strapi.container.get('plugins')": called('get', 'plugins'),
  "strapi.container.get('apis')": called('get', 'apis'),
  'strapi.api.name': `\\bstrapi${dot}apis?(?:${dot}\\w+|\\[\\s*['"\`][\\w-]+['"\`]\\s*\\])`,
  "strapi.plugin('graphql').service('builders')": service('graphql', 'builders'),
  "strapi.plugin('graphql').service('builders').utils": `${service('graphql', 'builders')}${dot}utils`,
  "strapi.plugin('graphql').service('extension')": service('graphql', 'extension'),
  "strapi.plugin('graphql').service('internals')": service('graphql', 'internals'),
  "strapi.plugin('graphql').service('utils').naming": `${service('graphql', 'utils')}${dot}naming`,
  "strapi.plugin('graphql').service('utils').mappers": `${service('graphql', 'utils')}${dot}mappers`,
  "strapi.service('admin::auth')": adminService('auth'),
  "strapi.service('admin::user')": adminService('user'),
  "strapi.service('admin::role')": adminService('role'),
  "strapi.service('admin::permission')": adminService('permission'),
  "strapi.plugin('upload').service('upload')": service('upload', 'upload'),
  "strapi.plugin('users-permissions').service('providers-registry')": service(
    'users-permissions',
    'providers-registry',
  ),
  "strapi.plugin('i18n').service('locales')": service('i18n', 'locales'),
  "strapi.plugin('i18n').service('content-types')": service('i18n', 'content-types'),
};

/** The modules within Strapi's packages that the service has. */
const providedParts =
  /^@strapi\/(?:strapi\/(?:lib|dist)\/(?:factories|core-api\/controller\/transform)|utils\/(?:lib|dist)\/(?!.*\/)[\w-]+)(?:\/index)?(?:\.js)?$/;

/** The packages that code can import the members of. */
const packages: ReadonlySet<string> = new Set(['@strapi/strapi', '@strapi/utils']);

interface Pattern {
  /** A word of every match: most sources have few of them. */
  readonly word: string;
  readonly pattern: RegExp;
  readonly use: (match: RegExpExecArray) => readonly Omit<Use, 'line'>[];
}

const patterns: readonly Pattern[] = [
  {
    word: 'connection',
    pattern: /\bdb\.connection\b/g,
    use: () => [{ what: 'strapi.db.connection', cause: 'SQL is not available on MongoDB: ' }],
  },
  {
    word: 'providers-registry',
    pattern: new RegExp(`${service('users-permissions', 'providers-registry')}${dot}(add|register)\\b`, 'g'),
    use: ([, method]) => [
      {
        what: `${serviceCall('plugin::users-permissions', 'providers-registry')}.${method}`,
        consequence: 'users cannot log in with the provider',
      },
    ],
  },
  {
    word: 'admin',
    // Its services are below.
    pattern: /\bstrapi\.admin\b(?!\.services\b)/g,
    use: () => [{ what: 'strapi.admin', cause: "Strapi's admin panel is not there: " }],
  },
  ...Object.entries(absentMembers).flatMap(([name, members]): Pattern[] => {
    const object = objects[name as keyof typeof objects];
    const names = members.split(' ');
    const word = (name.match(/[\w-]+/g) ?? []).findLast((part) => part !== 'uid' && part !== 'name') ?? '';
    const wanted = (list: string): readonly Omit<Use, 'line'>[] =>
      list
        .split(',')
        .map((part) => part.split(':', 1)[0]?.trim().split(/\s/, 1)[0] ?? '')
        .flatMap((part) => (names.some((one) => one.split('.', 1)[0] === part) ? [{ what: `${name}.${part}` }] : []));
    const source = packages.has(name)
      ? `(?:\\s*=\\s*${object}|\\s*from\\s*${quoted(name)})`
      : `\\s*=\\s*${object}(?!${dot}|[\\w(\\[])`;
    return [
      // Code can assign its own.
      {
        word,
        pattern: new RegExp(
          `${object}${dot}(${names.map((one) => one.replace('.', dot)).join('|')})\\b(?!\\s*=(?![=>]))`,
          'g',
        ),
        use: ([, found]) => [{ what: `${name}.${found}` }],
      },
      { word, pattern: new RegExp(`\\{([^{}]*)\\}${source}`, 'g'), use: ([, list = '']) => wanted(list) },
    ];
  }),
  ...Object.entries(absentServices).flatMap(([namespace, services]) =>
    services.split(' ').map((name): Pattern => ({
      word: name,
      pattern: new RegExp(
        `${namespace === 'admin::' ? adminService(name) : service(namespace.replace('plugin::', ''), name)}(?:${dot}(\\w+))?`,
        'g',
      ),
      use: ([, found]) => [
        {
          what: `${serviceCall(namespace, name)}${found === undefined ? '' : `.${found}`}`,
          service: uidOf(namespace, name),
        },
      ],
    })),
  ),
  {
    word: '@strapi',
    // Types are erased.
    pattern:
      /(?:\brequire\(\s*|\bimport\s+(?!type\b)[^;'"]*\bfrom\s*)['"`](@strapi\/(?:strapi|utils)\/(?:lib|dist)\/[^'"`]+)['"`]/g,
    use: ([, request = '']) =>
      providedParts.test(request) || request.includes('/types')
        ? []
        : [{ what: request, consequence: 'its use throws' }],
  },
  {
    word: 'typeRegistry',
    pattern: new RegExp(`\\btypeRegistry${dot}`, 'g'),
    use: () => [{ what: 'typeRegistry' }],
  },
  ...[...absentRegistries].map((name): Pattern => ({
    word: name,
    pattern: new RegExp(`${first}container${called('get', name, dot)}`, 'g'),
    use: () => [{ what: `strapi.container.get('${name}')` }],
  })),
  ...Object.keys(stores).map((uid): Pattern => ({
    word: uid,
    pattern: new RegExp(called('query', uid), 'g'),
    use: () => [{ what: `strapi.db.query('${uid}')` }],
  })),
  {
    word: 'query',
    pattern: new RegExp(
      `${first}query\\(\\s*['"\`]([\\w-]+\\.[\\w-]+)['"\`]\\s*\\)${dot}(${writeMethods.join('|')})\\b`,
      'g',
    ),
    use: ([, component = '', method]) => [{ what: `strapi.db.query('${component}').${method}`, component }],
  },
];

/** The uses of what the service knows to lack in a source text, in the order of their lines. */
export function findUses(source: string): readonly Use[] {
  const code = withoutComments(source);
  return patterns
    .filter(({ word }) => code.includes(word))
    .flatMap(({ pattern, use }) =>
      [...code.matchAll(pattern)].flatMap((match) => {
        const line = code.slice(0, match.index + match[0].length).split('\n').length;
        return use(match).map((found) => ({ ...found, line }));
      }),
    )
    .toSorted((use, other) => use.line - other.line);
}
