import type { Defined } from '../../content-types/model/definition.js';
import { suggestion } from '../../errors/nearest-name.js';
import type { QueryParameter } from '../../content-types/model/types.js';
import type { DocumentHooks } from '../../documents/hooks.js';
import type { Interceptor } from '../../documents/interceptors.js';
import { StartError } from '../../errors/start-error.js';
import type { ContentApi } from './content-api.js';
import type { EventForm } from './event-form.js';
import type { Extension, Lifecycle } from './extension.js';
import type { TaggedCache } from './caches.js';
import type { BodyReader } from './forms.js';
import type { GraphqlParts } from './graphql/parts.js';
import type { BuiltInPlugin } from './built-in.js';
import type { Command, Mount, Plugin, Route } from './plugin.js';
import type { Page, RouteDescription, TypeShortcut } from './routes.js';

/** What each member of an object holds, by its name. */
interface Members {
  readonly [name: string]: Content;
}

/**
 * Anything; or an object with these members; or a list of such objects. A member can hold a function in place of any of
 * them.
 */
type Content = true | Members | readonly [Members];

/** In place of the name of a member: names of the author's choice. */
const ANY = '*';

/** The compiler refuses a table that lacks a member of the contract, or has another. */
type All<T> = Readonly<Record<keyof T, Content>>;

const hooks = {
  prepare: true,
  follow: true,
  beforeDelete: true,
  beforePurge: true,
  afterWrite: true,
} satisfies All<DocumentHooks>;

const shortcut = { type: true, shortcutOf: true, allowedWithGuards: true } satisfies All<TypeShortcut>;

const description = {
  summary: true,
  query: true,
  body: true,
  form: true,
  response: true,
  isTagged: true,
  status: true,
  furtherStatuses: true,
  parameters: true,
  pathParameters: true,
  errors: true,
  id: true,
  tag: true,
} satisfies All<RouteDescription>;

const route = {
  method: true,
  path: true,
  action: true,
  caching: true,
  description,
  refuses: true,
  shortcut,
  entryOf: true,
  count: true,
  before: true,
  takesFiles: true,
  takesData: true,
  handle: true,
} satisfies All<Route>;

const definition = {
  uid: true,
  file: true,
  definition: true,
  text: true,
} satisfies All<Defined<unknown>>;

const interceptor = { state: true, isPersonal: true } satisfies All<Interceptor>;

const parameter = {
  name: true,
  part: true,
  isOn: true,
  isInherited: true,
  known: true,
  parse: true,
  selects: { attribute: true, all: true, otherwise: true },
  alternatives: true,
  openApi: true,
  graphql: { type: true, isAddition: true },
  typescript: true,
  apply: interceptor,
} satisfies All<QueryParameter & { readonly apply?: unknown }>;

const bodyReader = { mediaType: true, read: true, attachFiles: true } satisfies All<BodyReader>;

const mount = { path: true, handler: true } satisfies All<Mount>;

const contentApi = {
  prefix: true,
  reads: true,
  writes: true,
  refuses: true,
  numberOf: true,
  bodyForGuards: true,
  hasRoute: true,
  formOf: true,
  statusOf: true,
  describeError: true,
  description: true,
} satisfies All<ContentApi>;

const eventForm = { name: true, events: true, messagesOf: true } satisfies All<EventForm>;

const cache = {
  name: true,
  header: true,
  separator: true,
  maxTags: true,
  purge: true,
} satisfies All<TaggedCache>;

const page = { path: true, title: true, description: true } satisfies All<Page>;

const graphql = {
  typeDefs: true,
  resolvers: true,
  actions: true,
  rules: true,
} satisfies All<GraphqlParts>;

const command = {
  usage: true,
  description: true,
  options: true,
  run: true,
} satisfies All<Command>;

const plugin = {
  name: true,
  contentTypes: [definition],
  attributes: true,
  documentIds: true,
  workingCopies: true,
  uniquePerLocale: true,
  sharedParts: true,
  interceptors: [interceptor],
  hooks,
  onChanges: true,
  onWrites: true,
  onActivities: true,
  start: true,
  ready: true,
  dependencies: true,
  stop: true,
  authenticate: true,
  routes: [route],
  mounts: [mount],
  contentApis: [contentApi],
  codeForm: true,
  eventForms: [eventForm],
  caches: [cache],
  pages: [page],
  services: true,
  graphql,
  graphqlForms: true,
  actions: true,
  check: true,
  commands: [command],
} satisfies All<Plugin>;

const builtInPlugin = {
  ...plugin,
  callerOf: true,
  logIns: true,
  parameters: [parameter],
  notices: true,
  refresh: true,
  bodyReader,
  readForm: true,
  fileLimit: true,
  declaresLocales: true,
  codeEvents: true,
  uploadFile: true,
  fileProvider: true,
  applyAccess: true,
} satisfies All<BuiltInPlugin>;

const lifecycle = {
  beforeCreate: true,
  afterCreate: true,
  beforeUpdate: true,
  afterUpdate: true,
  beforeDelete: true,
  afterDelete: true,
} satisfies All<Lifecycle>;

const extension = {
  register: true,
  bootstrap: true,
  lifecycles: { [ANY]: lifecycle },
  routes: [route],
  // Checked with the actions that they name.
  guards: true,
  policies: true,
  middlewares: true,
} satisfies All<Extension>;

export const extensionMembers = Object.keys(extension);

/** @throws StartError naming each member that no plugin has, which would have no effect */
export function checkPlugin(name: string, created: unknown, isBuiltIn = false): asserts created is Plugin {
  if (typeof created !== 'object' || created === null) throw new StartError(`Plugin ${name} must be an object`);
  refuse(`Plugin ${name}`, mistakesIn(created, isBuiltIn ? builtInPlugin : plugin, ''));
}

/** @throws StartError as `checkPlugin` */
export const checkExtension = (owner: string, exported: object): void =>
  refuse(owner, mistakesIn(exported, extension, ''));

/** Checks what a function of a plugin or a project returns in place of a member. @throws StartError as `checkPlugin` */
export function checkResult(
  owner: string,
  member: 'routes' | 'mounts' | 'contentApis' | 'eventForms' | 'caches' | 'graphql',
  result: unknown,
): void {
  refuse(owner, mistakesIn(result, plugin[member], member));
}

function refuse(owner: string, mistakes: readonly string[]): void {
  if (mistakes.length > 0) throw new StartError(mistakes.map((mistake) => `${owner}: ${mistake}`).join('\n'));
}

/** @param path of the value, empty for the whole */
function mistakesIn(value: unknown, content: Content, path: string): readonly string[] {
  if (content === true || value === undefined) return [];
  if (isList(content)) {
    if (typeof value === 'function') return [];
    if (!Array.isArray(value)) return [`${path} must be a list`];
    return value.flatMap((element: unknown, index) => mistakesIn(element, content[0], `${path}[${index}]`));
  }
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null || Array.isArray(value))
    return [`${path} must be an object`];
  return Object.entries(value).flatMap(([name, held]: readonly [string, unknown]) => {
    const named = path === '' ? name : `${path}.${name}`;
    const known = Object.hasOwn(content, name) ? content[name] : content[ANY];
    return known === undefined
      ? [`unknown member "${named}"${suggestion(name, Object.keys(content))}`]
      : mistakesIn(held, known, named);
  });
}

const isList = (content: Content): content is readonly [Members] => Array.isArray(content);
