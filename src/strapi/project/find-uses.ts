import lodash from 'lodash';
import { groupBy } from '../../config/group-by.js';
import type { StrapiVersion } from '../../config/project/strapi-version.js';
import { absentMembers, absentRegistries, absentServices, serviceCall } from '../absent-members.js';
import { CLIENT_OF_SQL } from '../query-engine/client-of-sql.js';
import { stores, writeMethods } from '../query-engine/database.js';
import { rowWrites } from '../query-engine/queries.js';
import { uidOf } from '../registries/registry.js';
import { strapi5Members, type Strapi5Member } from '../strapi5-members.js';
import { expressionsOf, isRequire, type Chain, type Step } from './expressions.js';

/** The use of something that throws an error with this name. */
export interface Use {
  readonly line: number;
  readonly what: string;
  /** The uid of a service, for those that project code may replace. */
  readonly service?: string;
  /** The component that is written. */
  readonly component?: string;
  /** The content type with drafts whose rows are written. */
  readonly typeWithDrafts?: string;
  /** Why, before what happens: `SQL is not available on MongoDB: `. */
  readonly cause?: string;
  /** What happens instead of an error. */
  readonly consequence?: string;
  /** The code around it goes on. */
  readonly isCaught?: true;
}

const textOf = ({ name, argument }: Step): string => (argument === undefined ? name : `${name}('${argument}')`);

/**
 * Whether a step is the one of a pattern: `db`, `service('builders')`; `query(*)` is a call with any argument, `*` any
 * step.
 */
const isStep = (step: Step, wanted: string): boolean =>
  wanted === '*' || wanted === textOf(step) || wanted === step.name || (step.isCalled && wanted === `${step.name}(*)`);

/**
 * The steps of a name in a report; without `strapi` where code can reach the others in another way, e.g. as
 * `db.lifecycles`.
 */
function stepsIn(name: string): readonly string[] {
  const steps = name.match(/[\w@/-]+(?:\('[^']*'\))?/g) ?? [];
  const [first, ...others] = steps;
  return first === 'strapi' && (others.length > 1 || others[0]?.includes('(') === true) ? others : steps;
}

/** The objects that code reaches in other ways than by their names. */
const ways: Readonly<Record<string, readonly (readonly string[])[]>> = {
  'strapi.auth': [['strapi', 'auth'], ["get('auth')"]],
  'strapi.db.query(uid)': [['*', 'query(*)']],
  '@strapi/utils': [['@strapi/utils'], ['utils']],
  '@strapi/strapi': [['@strapi/strapi']],
  'strapi.plugin(name)': [['*', 'plugin(*)']],
  'strapi.api.name': [['strapi', 'api', '*']],
};

/** What can be a module of Strapi's that is not there. */
const namesStrapi = /@strapi\/(?!(?:strapi|utils)['"`])/;

/** Something that code lacks at the end of these steps. */
interface Pattern {
  readonly steps: readonly string[];
  /** What the text of its uses looks like; default: by its steps. */
  readonly sign?: RegExp;
  /** @param next the step after these, if there is one; `last` is the last of them */
  readonly use: (found: {
    readonly last: Step;
    readonly next: Step | undefined;
    readonly chain: Chain;
  }) => readonly Omit<Use, 'line'>[];
}

const providers = serviceCall('plugin::users-permissions', 'providers-registry');

/** What neither version of Strapi gives its code here. */
const common: readonly Pattern[] = [
  {
    steps: ['db', 'connection'],
    use: () => [{ what: 'strapi.db.connection', cause: 'SQL is not available on MongoDB: ' }],
  },
  ...['add', 'register'].map((method): Pattern => ({
    steps: [...stepsIn(providers), method],
    use: () => [{ what: `${providers}.${method}`, consequence: 'users cannot log in with the provider' }],
  })),
  {
    steps: ['strapi', 'admin'],
    // Its services are below.
    use: ({ next }) =>
      next?.name === 'services' ? [] : [{ what: 'strapi.admin', cause: "Strapi's admin panel is not there: " }],
  },
  ...Object.entries(absentMembers).flatMap(([name, members]) =>
    (ways[name] ?? [stepsIn(name)]).flatMap((object) => membersOf(name, object, members.split(' '))),
  ),
  ...Object.entries(absentServices).flatMap(([namespace, services]) =>
    services.split(' ').map((name): Pattern => ({
      steps: stepsIn(serviceCall(namespace, name)),
      use: ({ next }) => [
        {
          what: `${serviceCall(namespace, name)}${next?.name ? `.${next.name}` : ''}`,
          service: uidOf(namespace, name),
        },
      ],
    })),
  ),
  { steps: ['typeRegistry'], use: ({ next }) => (next === undefined ? [] : [{ what: 'typeRegistry' }]) },
  ...[...absentRegistries].map((name): Pattern => ({
    steps: ['container', `get('${name}')`],
    use: () => [{ what: `strapi.container.get('${name}')` }],
  })),
  ...Object.keys(stores).map((uid): Pattern => ({
    steps: ['*', `query('${uid}')`],
    use: () => [{ what: `strapi.db.query('${uid}')` }],
  })),
  ...writeMethods.map((method): Pattern => ({
    steps: ['*', 'query(*)', method],
    sign: /query\(\s*['"`][\w-]+\.[\w-]+['"`]/,
    use: ({ chain, last }) => {
      const component = chain.steps[chain.steps.indexOf(last) - 1]?.argument ?? '';
      return /^[\w-]+\.[\w-]+$/.test(component)
        ? [{ what: `strapi.db.query('${component}').${method}`, component }]
        : [];
    },
  })),
];

/**
 * The members that an object lacks; code can assign its own. In braces, the first part of names is one use of all below
 * it.
 */
function membersOf(name: string, object: readonly string[], members: readonly string[]): readonly Pattern[] {
  const groups = new Set(
    members.filter((member) => member.includes('.')).map((member) => member.split('.', 1)[0] ?? ''),
  );
  return [
    ...members.map((member): Pattern => ({
      steps: [...object, ...member.split('.')],
      use: ({ chain, last }) =>
        chain.isAssigned && chain.steps.at(-1) === last ? [] : [{ what: `${name}.${member}` }],
    })),
    ...[...groups].map((group): Pattern => ({
      steps: [...object, group],
      use: ({ chain, next }) => (chain.isDestructured && next === undefined ? [{ what: `${name}.${group}` }] : []),
    })),
  ];
}

/** Writes of single rows in a project of Strapi 5, where an entry of a type with drafts is two. */
const rowWritePatterns: readonly Pattern[] = rowWrites.map((method) => ({
  steps: ['*', 'query(*)', method],
  sign: /query\(\s*['"`]api::/,
  use: ({ chain, last }) => {
    const uid = chain.steps[chain.steps.indexOf(last) - 1]?.argument ?? '';
    return uid.startsWith('api::')
      ? [{ what: `strapi.db.query('${uid}').${method}`, typeWithDrafts: uid, cause: 'the type has drafts: ' }]
      : [];
  },
}));

/**
 * What a project of a version lacks of the members of Strapi 5: in one of Strapi 4, all that it does not have there.
 */
function patternsOfStrapi5(major: StrapiVersion['major']): readonly Pattern[] {
  const lacking = strapi5Members.filter(({ isSupported, isInV4 }) => (major === 5 ? !isSupported : isInV4 !== true));
  return lacking
    .filter(({ name }) => !isAbsentInV4(name))
    .map((member): Pattern => ({
      steps: stepsOf(member),
      use: ({ chain, last }) => {
        if (chain.isAssigned && chain.steps.at(-1) === last) return [];
        return [{ what: member.name, ...consequenceOf(member, major) }];
      },
    }));
}

/** Whether it is a member of Strapi 4 that is named there, or one below it. */
function isAbsentInV4(name: string): boolean {
  const [object, member] = [name.slice(0, name.lastIndexOf('.')), name.slice(name.lastIndexOf('.') + 1)];
  if (object === '') return false;
  const listed = object in absentMembers ? absentMembers[object as keyof typeof absentMembers] : '';
  return listed.split(' ').includes(member) || isAbsentInV4(object);
}

/** `this` is no identifier. */
const stepsOf = ({ name }: Strapi5Member): readonly string[] =>
  name.startsWith('this.') ? ['*', name.slice('this.'.length)] : stepsIn(name.replace(/^(@strapi\/utils)\./, '$1 '));

const consequenceOf = (
  { consequence }: Strapi5Member,
  major: StrapiVersion['major'],
): Pick<Use, 'consequence' | 'cause'> =>
  major === 4
    ? { cause: 'it is of Strapi 5, which package.json does not name: ' }
    : consequence === undefined
      ? {}
      : { consequence };

/**
 * The steps in one spelling: `plugins.upload.services.a` and `service('plugin::upload.a')` as
 * `plugin('upload').service('a')`.
 */
function inOneSpelling(steps: readonly Step[]): readonly Step[] {
  const spelled: Step[] = [];
  for (const step of steps) {
    const [owner, collection] = [spelled.at(-2), spelled.at(-1)];
    const { line } = step;
    const element = (name: string, argument: string): Step => ({ name, argument, isCalled: true, line });
    if (isRequire(step)) spelled.push({ name: step.argument, isCalled: false, line });
    else if (step.name === 'apis') spelled.push({ ...step, name: 'api' });
    else if (collection?.name === 'plugins' && !step.isCalled) spelled.splice(-1, 1, element('plugin', step.name));
    else if (collection?.name !== 'services') spelled.push(step);
    else if (owner?.name === 'admin') spelled.splice(-2, 2, element('service', `admin::${step.name}`));
    else spelled.splice(-1, 1, element('service', step.name));
    const last = spelled.at(-1);
    const [, plugin, service] =
      /^plugin::([^.]+)\.(.+)$/.exec(last?.name === 'service' ? (last.argument ?? '') : '') ?? [];
    if (plugin !== undefined && service !== undefined)
      spelled.splice(-1, 1, element('plugin', plugin), element('service', service));
  }
  return spelled;
}

/** What finds the uses in projects of one version. */
function createFinder(major: StrapiVersion['major']) {
  const patterns = [...common, ...patternsOfStrapi5(major), ...(major === 5 ? rowWritePatterns : [])];
  return {
    /** The patterns by the name of their last step: most steps have none. */
    byName: groupBy(patterns, ({ steps }) => steps.at(-1)?.replace(/\(.*$/, '') ?? ''),
    /** What a source with a use contains. */
    hints: patterns.map(({ steps, sign }) => ({
      words: steps.flatMap((step) => step.match(/\w+/g) ?? []),
      last: steps.at(-1) ?? '',
      sign: sign ?? signOf(steps),
    })),
  };
}

type Finder = ReturnType<typeof createFinder>;

const finderOf = lodash.memoize(createFinder);

function usesIn(chain: Chain, { byName }: Finder): readonly Use[] {
  const steps = inOneSpelling(chain.steps);
  const spelled = { ...chain, steps };
  return steps.flatMap((last, index) =>
    (byName.get(last.name) ?? []).flatMap(({ steps: wanted, use }) => {
      const start = index + 1 - wanted.length;
      const isFound = start >= 0 && wanted.every((step, at) => isStep(steps[start + at] as Step, step));
      const found = isFound ? use({ last, next: steps[index + 1], chain: spelled }) : [];
      return found.map((one) => ({ ...one, line: last.line, ...(chain.isCaught && { isCaught: true }) }));
    }),
  );
}

/**
 * The names of steps one after the other, with whatever is between them; undefined: they have more than one spelling.
 */
function signOf(steps: readonly string[]): RegExp | undefined {
  if (steps.some((step) => /['/]/.test(step))) return undefined;
  const names = steps.filter((step, index) => index > 0 || step !== '*');
  const parts = names.map((step) => (step === '*' ? String.raw`\w+` : step.replace('(*)', String.raw`s?\W[^()]*`)));
  return new RegExp(String.raw`\b${parts.join(String.raw`\W+`)}\b`);
}

/** Names in braces that get values: of a variable, an assignment or an import. */
const braces = /\{([^;]*?)\}\s*(?:=(?![=>])|from\b)/g;

/**
 * Whether a source can have uses: few have any, and to parse all of a project would take a tenth of a second of each
 * start.
 */
function canHaveUses(source: string, { hints }: Finder): boolean {
  if (namesStrapi.test(source)) return true;
  const present = new Set(source.match(/\w+/g));
  const isPresent = (word: string): boolean => present.has(word) || present.has(`${word}s`);
  const named = lodash.once(
    () => new Set([...source.matchAll(braces)].flatMap(([, names]) => names?.match(/\w+/g) ?? [])),
  );
  return hints.some(
    ({ words, last, sign }) => words.every(isPresent) && (sign === undefined || sign.test(source) || named().has(last)),
  );
}

const wayToClient = /(?:^|\.)(?:dialect|(?:db\.config|config\.database)\.connection)\.client$/;

/** The kind of database, which code asks for before it uses SQL. */
const knownValue = (steps: readonly Step[]): string | undefined => {
  const way = steps.map(({ name, argument }) => (name === 'get' ? (argument ?? '') : name)).join('.');
  return wayToClient.test(way) ? CLIENT_OF_SQL : undefined;
};

/**
 * The uses of what the service knows to lack in a source text of a project, in the order of their lines.
 * @param major the version of Strapi that it is written for
 * @param isAbsent whether a module that the source imports only throws
 */
export function findUses(
  source: string,
  major: StrapiVersion['major'] = 4,
  isAbsent: (request: string) => boolean = () => false,
): readonly Use[] {
  const finder = finderOf(major);
  if (!canHaveUses(source, finder)) return [];
  const { chains, imported } = expressionsOf(source, knownValue);
  const modules = imported
    .filter(({ request }) => isAbsent(request))
    .map(({ request, line }) => ({ what: request, consequence: 'its use throws', line }));
  return [...chains.flatMap((chain) => usesIn(chain, finder)), ...modules].toSorted(
    (use, other) => use.line - other.line,
  );
}
