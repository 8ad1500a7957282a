import { enabledPlugins, loadDefinitions } from '../../../app/load-registry.js';
import type { Config } from '../../../config/config.js';
import type { ContentType } from '../../../content-types/model/types.js';
import { unknownName } from '../../../errors/nearest-name.js';
import { StartError } from '../../../errors/start-error.js';
import { signPreview } from '../../../plugins/contract/access/preview-links.js';
import { parseId } from '../../../query/parse/input.js';
import { hasCode } from '../../../strapi/project/find-files.js';
import { loadProject, log, withDatabase, type Project } from '../../io/project.js';
import type { ExitCode } from '../../exit-codes.js';

/** Prints a URL that shows one entry, also as a draft, for a limited time. */
export async function printPreviewLink(uid: string, id: string | undefined, time: string): Promise<ExitCode> {
  const project = await loadProject();
  const type = project.registry.contentTypes.get(uid);
  const link = await previewLink(project, uid, id, parseTime(time));
  console.log(link);
  const { config } = project;
  const status = config.variables['PUBLIC_URL'] === undefined ? await statusOf(link) : 200;
  if (status === 403) {
    console.error('The role public may not read this entry: the link needs a user or token that may.');
  } else if (status !== 200) {
    console.error(
      `No service shows this entry at ${config.server.publicUrl}: set PUBLIC_URL, or PORT, to where the service of this project listens.`,
    );
  }
  if (config.drafts === 'open' && type?.copies === undefined) {
    console.error('DRAFTS is open: everyone who may read this entry can see it without the link.');
  }
  return 0;
}

/** @throws StartError with the cause */
async function previewLink(
  { config, registry }: Project,
  uid: string,
  text: string | undefined,
  seconds: number,
): Promise<string> {
  const { publicUrl } = config.server;
  const type = registry.contentTypes.get(uid);
  const own = [...registry.contentTypes.keys()].filter((name) => name.startsWith('api::'));
  if (type === undefined || !own.includes(uid)) throw new StartError(unknownName(uid, 'content type', own));
  const id = requiredId(type, text);
  if (publicUrl === undefined) throw new StartError('PUBLIC_URL is not set: the link needs the URL of the service');
  const filter: object = id === undefined ? {} : { _id: id };
  const entry = await withDatabase(config, ({ db }) => db.collection(type.collectionName).findOne(filter), true);
  if (entry === null) throw new StartError(`${uid}${id === undefined ? '' : ` ${id}`} does not exist`);
  const path = id === undefined ? type.singularName : `${type.pluralName}/${id}`;
  return `${publicUrl}${await findPrefix(config)}/${path}?preview=${signPreview(config.secrets.jwt, { uid, id }, seconds)}`;
}

/** The path of the API, `/api`, which code of the project can set. @throws StartError if the code cannot be loaded */
async function findPrefix(config: Config): Promise<string> {
  if (!hasCode(config.folders.contentTypes)) return config.rest.prefix;
  const { openProject } = await import('../../../strapi/open-project.js');
  const plugins = await enabledPlugins(config);
  const definitions = await loadDefinitions(config, plugins);
  const quiet = { ...log, warn: () => undefined };
  const project = await openProject({ config, plugins, definitions, log: quiet });
  project.release();
  return project.settings().rest.prefix;
}

/** The status of the answer to a request; undefined: there is none. */
const statusOf = (link: string): Promise<number | undefined> =>
  fetch(link, { signal: AbortSignal.timeout(ANSWER_MS) }).then(
    ({ status }) => status,
    () => undefined,
  );

/** Milliseconds. */
const ANSWER_MS = 5000;

/** The id of the entry; a single type has one entry, which needs none. @throws StartError */
function requiredId({ kind, uid }: ContentType, text: string | undefined): number | undefined {
  if (kind === 'singleType') {
    if (text === undefined) return undefined;
    throw new StartError(`${uid} is a single type: leave out the id "${text}"`);
  }
  const id = parseId(text ?? '');
  if (id !== undefined) return id;
  throw new StartError(
    text === undefined
      ? `${uid} is a collection type: add the id of the entry`
      : `"${text}" is not an id; allowed: a whole number`,
  );
}

const units: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };
const MAX_SECONDS = 30 * 86_400;

/** The seconds of `30m`, `12h` or `7d`. @throws StartError */
function parseTime(text: string): number {
  const [, count = '', unit = ''] = /^(\d{1,7})([smhd])$/.exec(text) ?? [];
  const seconds = Number(count) * (units[unit] ?? 0);
  if (seconds > 0 && seconds <= MAX_SECONDS) return seconds;
  throw new StartError(`--for ${text} is not a duration; allowed: e.g. 30m, 12h or 7d, at most 30d`);
}
