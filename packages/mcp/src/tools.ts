import { z } from 'zod';
import {
  AppError,
  type ContentType,
  isOwnType,
  measureFunctions,
  measures,
  listingOf,
  pathNameOf,
  type Quota,
  type PluginContext,
  isRecord,
  type Data,
} from 'content-service/plugin';
import { describe } from './describe.js';
import { fetchFile, parseFileUrl } from './fetch-file.js';
import { id, locale, operation, type, type AssistantOperation } from './operation.js';
import { attributesOf, findType, type Proposer } from './plan.js';
import { apply, propose, proposeUndo } from './proposals.js';
import { titleOf } from './readable.js';

/** A call of a tool: by whom, and what it uses. */
export interface Session extends Proposer {
  readonly context: PluginContext;
  /** Counts a write. @throws AppError tooManyRequests */
  readonly countWrite: () => Promise<void>;
  /** The downloads of all callers: each is held in memory. */
  readonly downloads: Quota;
}

/** Bytes of a file that is downloaded. */
const MAX_DOWNLOAD = 20 * 2 ** 20;

/** A tool for assistants. To add one, add a row. */
export interface Tool {
  readonly title: string;
  readonly description: string;
  readonly input: Readonly<Record<string, z.ZodType>>;
  /** It writes, and may remove. */
  readonly writes?: true;
  /** Whether the permissions of the caller cover any use of it. */
  readonly isOffered: (session: Session) => boolean;
  /** @throws Refused, AppError */
  readonly run: (session: Session, input: Data) => Promise<unknown>;
}

const names = z.array(z.string().max(100)).max(100).optional();
const filters = z
  .record(z.string(), z.unknown())
  .optional()
  .describe(
    'Strapi filters, e.g. {"title": {"$containsi": "bread"}, "author": {"name": "Ada"}}, with $and, $or and $not',
  );
const populate = z
  .union([z.string(), z.array(z.string()), z.record(z.string(), z.unknown())])
  .optional()
  .describe('Relations, components and files to include: "*", names, paths such as "author.avatar", or an object');

const publicationState = z.enum(['live', 'preview']).optional().describe('"preview" includes drafts');

const page = z.number().int().positive().optional();
const pageSize = z.number().int().positive().max(100).optional().describe('Default: 25');
const paths = z.array(z.string().max(200)).max(10).optional();
const measured = Object.fromEntries(
  measureFunctions.map((name) => [name, paths.describe(`Of each group ${measures[name].description} of these`)]),
);

const selection = { fields: names.describe('Default: all attributes'), populate, locale };

const proposalKey = z.uuid().describe('The value of "proposal" in the result of propose_changes');

const own = ({ context }: Session): readonly ContentType[] =>
  [...context.registry.contentTypes.values()].filter(isOwnType);
const mayDo = (session: Session, actions: readonly string[]): boolean =>
  own(session).some(({ uid }) => actions.some((action) => session.caller.may(`${uid}.${action}`)));
const mayRead = (session: Session): boolean => mayDo(session, ['find', 'findOne']);
const mayWrite = (session: Session): boolean =>
  mayDo(session, ['create', 'update', 'delete', 'createLocalization']) || mayUpload(session);
const mayAsk = (session: Session): boolean =>
  own(session).some(({ uid, draftAndPublish }) => draftAndPublish && session.caller.may(`${uid}.update`));
const reviewPath = (found: ContentType, entry: number): string => `/${pathNameOf(found)}/${entry}/review`;
const mayUpload = ({ caller, context }: Session): boolean =>
  context.http.fileLimit !== undefined && caller.may('plugin::upload.content-api.upload');

/** By their names, in the order in which they are listed. */
export const tools: Readonly<Record<string, Tool>> = {
  describe_content: {
    title: 'Describe the content',
    description:
      'Lists the content types that you may read or write; with a type: its attributes, their rules and examples, the components in it, and an example of data for a new entry. Start here.',
    input: { type: type.optional() },
    isOffered: (session) => mayRead(session) || mayWrite(session),
    run: async ({ context, caller }, input) => describe(context, caller, input['type'] as string | undefined),
  },
  find_entries: {
    title: 'Find entries',
    description: 'Lists entries that match filters, a page at a time. "files" lists uploaded files.',
    input: {
      type,
      filters,
      sort: paths.describe('e.g. ["publishedAt:desc", "title"]'),
      ...selection,
      publicationState,
      page,
      pageSize,
      explain: z.boolean().optional().describe('Adds the commands to the database; needs a full-access token'),
    },
    isOffered: mayRead,
    run: async ({ call, context }, { type: name, page: asked, pageSize: most, ...query }) => {
      const isFiles = name === 'files';
      const { registry } = context;
      const found = isFiles ? registry.contentTypes.get('plugin::upload.file') : findType(registry, name as string);
      const path = found && listingOf(found)?.path;
      if (path === undefined) throw new AppError('badRequest', 'Files are turned off');
      const [number, size] = [(asked as number | undefined) ?? 1, (most as number | undefined) ?? 25];
      const bounds = isFiles
        ? { start: (number - 1) * size, limit: size }
        : { pagination: { page: number, pageSize: size } };
      return (await call({ method: 'GET', path, query: { ...query, ...bounds } })).body;
    },
  },
  get_entry: {
    title: 'Read an entry',
    description: 'Reads one entry by its id; of a single type without one.',
    input: { type, id: id.optional(), ...selection, publicationState },
    isOffered: mayRead,
    run: async ({ call, context }, { type: name, id: entry, ...query }) => {
      const found = findType(context.registry, name as string);
      if ((found.kind === 'singleType') !== (entry === undefined))
        throw new AppError('badRequest', entry === undefined ? `${found.uid} needs an id` : `${found.uid} has no ids`);
      const path = `/${pathNameOf(found)}${entry === undefined ? '' : `/${entry as number}`}`;
      return (await call({ method: 'GET', path, query })).body;
    },
  },
  count_entries: {
    title: 'Count entries',
    description: 'Counts the entries that match filters.',
    input: { type, filters, locale, publicationState },
    isOffered: mayRead,
    run: async ({ call, context }, { type: name, ...query }) => {
      const path = `/${pathNameOf(findType(context.registry, name as string))}`;
      const { body } = await call({
        method: 'GET',
        path,
        query: { ...query, fields: ['id'], pagination: { pageSize: 1 } },
      });
      const { pagination } = isRecord(body['meta']) ? body['meta'] : {};
      return { count: isRecord(pagination) ? pagination['total'] : undefined };
    },
  },
  aggregate_entries: {
    title: 'Group entries',
    description:
      'Groups the entries that match filters: how many there are of each value, and sums, averages, lowest, highest or distinct values. Without groupBy: of all entries.',
    input: {
      type,
      filters,
      groupBy: paths.describe(
        'e.g. ["author.name", "publishedAt:month"]; of dates also year, quarter, week, day, hour',
      ),
      ...measured,
      having: z.record(z.string(), z.unknown()).optional().describe('e.g. {"count": {"$gte": 3}}'),
      sort: paths.describe('e.g. ["count:desc"], ["avg.rating"], or a key'),
      timeZone: z.string().max(100).optional().describe('Where days begin, e.g. "Europe/Berlin"'),
      locale,
      publicationState,
      page,
      pageSize,
    },
    isOffered: (session) => mayDo(session, ['find']),
    run: async ({ call, context }, { type: name, page: number = 1, pageSize: size = 25, ...query }) => {
      const path = `/${pathNameOf(findType(context.registry, name as string))}/aggregate`;
      return (await call({ method: 'GET', path, query: { ...query, pagination: { page: number, pageSize: size } } }))
        .body;
    },
  },
  search_entries: {
    title: 'Search entries',
    description:
      'Searches a text in all attributes of the types that you may list, or of one type; the ids and names of the first five of each.',
    input: { text: z.string().min(1).max(200), type: type.optional() },
    isOffered: (session) => mayDo(session, ['find']),
    run: async (session, { text, type: name }) => {
      const { call, caller, context } = session;
      const types =
        name === undefined
          ? own(session).filter(({ kind }) => kind === 'collectionType')
          : [findType(context.registry, name as string)];
      const listable = types.filter(({ uid }) => caller.may(`${uid}.find`));
      const found: [string, unknown][] = [];
      for (const one of listable) {
        const { body } = await call({
          method: 'GET',
          path: `/${pathNameOf(one)}`,
          query: { _q: text, pagination: { pageSize: 5 } },
        });
        const entries = [body['data']].flat().filter(isRecord);
        const title = titleOf(one);
        const named = entries.map((entry) => ({
          id: entry['id'],
          ...(title !== undefined && { [title]: attributesOf(entry)[title] }),
        }));
        if (named.length > 0) found.push([one.uid, named]);
      }
      return Object.fromEntries(found);
    },
  },
  propose_changes: {
    title: 'Propose changes',
    description:
      'Checks changes completely and shows each difference, but stores nothing. Show the differences to the user; if they agree, call apply_proposal. All operations happen together or none. A schedule needs a proposal of its own.',
    input: { operations: z.array(operation).min(1).max(100) },
    isOffered: mayWrite,
    run: (session, { operations }) => propose(operations as readonly AssistantOperation[], session),
  },
  apply_proposal: {
    title: 'Apply a proposal',
    description:
      'Makes exactly the changes of a proposal, all or none; refused if one of the entries has changed since. Repeating it does nothing more.',
    input: { proposal: proposalKey },
    writes: true,
    isOffered: mayWrite,
    run: async (session, { proposal }) => {
      await session.countWrite();
      return apply(proposal as string, session);
    },
  },
  propose_undo: {
    title: 'Propose to undo',
    description:
      'Proposes the changes that revert an applied proposal; refused if an entry has changed since. A deleted entry comes back with a new id. Apply the result with apply_proposal.',
    input: { proposal: proposalKey },
    isOffered: mayWrite,
    run: (session, { proposal }) => proposeUndo(proposal as string, session),
  },
  ask_to_publish: {
    title: 'Ask to publish',
    description:
      'Asks those who may publish it to publish an entry as it is prepared now, with a note. They publish that state, or send it back; get_review shows which.',
    input: { type, id, note: z.string().min(1).max(500).optional() },
    writes: true,
    isOffered: mayAsk,
    run: async ({ context, call, countWrite }, { type: name, id: entry, note }) => {
      await countWrite();
      const path = reviewPath(findType(context.registry, name as string), entry as number);
      return (await call({ method: 'POST', path, body: note === undefined ? {} : { note } })).body['data'];
    },
  },
  get_review: {
    title: 'Read who asks to publish an entry',
    description: 'Shows the request to publish an entry, with what was said of it; null if nobody asks.',
    input: { type, id },
    isOffered: mayAsk,
    run: async ({ context, call }, { type: name, id: entry }) => {
      const path = reviewPath(findType(context.registry, name as string), entry as number);
      return (await call({ method: 'GET', path, query: {} })).body['data'];
    },
  },
  upload_file: {
    title: 'Upload a file',
    description:
      'Uploads a file of up to 20 MB from a public address into the media library. Relate it to an entry by its id, in a proposal.',
    input: {
      url: z.url().max(2000),
      name: z.string().max(200).optional(),
      alternativeText: z.string().max(1000).optional(),
      caption: z.string().max(1000).optional(),
    },
    writes: true,
    isOffered: mayUpload,
    run: async (session, { url, ...info }) => {
      const { context, call, countWrite, downloads, owner } = session;
      const address = parseFileUrl(url as string);
      const leave = downloads.take(owner);
      try {
        await countWrite();
        const form = new FormData();
        form.append('files', await fetchFile(address, Math.min(MAX_DOWNLOAD, context.http.fileLimit ?? 0)));
        form.append('fileInfo', JSON.stringify(info));
        return (await call({ method: 'POST', path: '/upload', body: form })).body['data'];
      } finally {
        leave();
      }
    },
  },
};
