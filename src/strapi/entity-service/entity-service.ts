import lodash from 'lodash';
import { isAbsent } from '../../config/record.js';
import { withAbsent } from '../absent-members.js';
import type { Caller } from '../../documents/caller.js';
import { CLIENT } from '../../plugins/contract/application.js';
import type { ContentType } from '../../content-types/model/types.js';
import { isLocalized } from '../../content-types/model/localized.js';
import { mediaFieldAt, pathOf, populateFor } from '../../plugins/upload/media/place-files.js';
import { InvalidMomentError } from '../query-engine/check-where.js';
import { createQueries, type Queries } from '../query-engine/queries.js';
import { readTypeOf as typeToRead } from '../query-engine/reads.js';
import type { EntityCall } from '../query-engine/writes.js';
import type { EntityService, Lifecycles, Model, Named, Runtime, Strapi, StrapiContext } from '../strapi.js';
import { errors } from '../utilities/errors.js';
import { changedClone, clonePopulate } from './clone-data.js';
import { convertLoad, convertParams } from './convert-params.js';

/** In parameters of reads: a preview link of the client shows the entry, also as a draft. */
export const PREVIEWED: unique symbol = Symbol('previewed');

type Params = (Named & { readonly [CLIENT]?: unknown; readonly [PREVIEWED]?: boolean }) | undefined;

/** `strapi.entityService`, from `bootstrap` on. It validates, and uses the query engine, so that its events run. */
export function createEntityService(context: StrapiContext, lifecycles: Lifecycles): EntityService {
  const access = createEntityAccess(context, lifecycles);
  return withAbsent('strapi.entityService', {
    ...createEntityReads(context.strapi, access),
    ...createEntityWrites(context, access),
  });
}

/** The value of `locale` for entries of all locales. */
const ALL = 'all';

/** What reads and writes have in common. */
function createEntityAccess(context: StrapiContext, lifecycles: Lifecycles) {
  const { strapi } = context;
  const runtime = (): Runtime => context.runtime('strapi.entityService');
  /** As in Strapi v4, components are read like content types. */
  const readTypeOf = (uid: string): ContentType => typeToRead(uid, runtime().registry);
  /** The type of what is written. */
  const typeOf = (uid: string): ContentType => {
    const { contentTypes, components } = runtime().registry;
    const type = contentTypes.get(uid);
    if (type !== undefined) return type;
    if (!components.has(uid)) throw new Error(`unknown content type "${uid}"`);
    throw new Error(`strapi.entityService: the component ${uid} is stored within entries; write these`);
  };
  const modelOf = (uid: string): Model => strapi.getModel(uid) ?? ({} as Model);
  /** The queries of code, or of the client in the parameters. */
  const queries = (uid: string, params?: Params, eventOf?: EntityCall['eventOf']): Queries =>
    createQueries(uid, runtime(), lifecycles, {
      client: params?.[CLIENT] as Caller | undefined,
      isPreviewed: params?.[PREVIEWED] === true,
      eventOf,
    });
  const findOne = async (uid: string, id: unknown, params?: Params): Promise<Named | null> =>
    queries(uid, params).findOne({ ...selectionOf(params, readTypeOf(uid)), where: { id } });
  return { runtime, typeOf, readTypeOf, modelOf, queries, findOne };
}

type EntityAccess = ReturnType<typeof createEntityAccess>;

/** The parameters that select values of one entry. */
const selectionOf = (params: Params, type: ContentType): Named =>
  convertParams(lodash.pick(params, ['fields', 'populate']), type);

function createEntityReads(strapi: Strapi, { readTypeOf, modelOf, queries, findOne }: EntityAccess) {
  /** Entries of one locale, unless all are requested. As recorded, no entry has the locale null. */
  const inLocale = async (uid: string, { locale, ...params }: Named = {}): Promise<Named> => {
    const type = readTypeOf(uid);
    if (!isLocalized(type) || locale === ALL) return convertParams(params, type);
    const code: unknown =
      locale === undefined ? await strapi.plugin('i18n')?.service('locales').getDefaultLocale() : locale;
    const { filters } = params;
    const scoped = { locale: code };
    return convertParams({ ...params, filters: filters ? { $and: [filters, scoped] } : scoped }, type);
  };
  const read =
    (method: keyof Queries) =>
    async (uid: string, params?: Params): Promise<unknown> =>
      Promise.resolve(queries(uid, params)[method](await inLocale(uid, params))).catch(explain);
  /** As in Strapi v4, a single type has one entry, but in all locales a list. */
  const findMany = async (uid: string, params?: Params): Promise<unknown> => {
    const isOne = modelOf(uid).kind === 'singleType' && !(params?.['locale'] === ALL && isLocalized(readTypeOf(uid)));
    return read(isOne ? 'findOne' : 'findMany')(uid, params);
  };
  return {
    findMany,
    findPage: read('findPage'),
    findWithRelationCounts: read('findMany'),
    findWithRelationCountsPage: read('findPage'),
    count: read('count'),
    findOne,
    load: async (uid: string, entry: Named, field: string, params?: Params) =>
      queries(uid).load(entry, checkName(field), convertLoad(params ?? {}, field, readTypeOf(uid))),
    loadPages: async (uid: string, entry: Named, field: string, params?: Params, pagination: Named = {}) => {
      const { page, pageSize } = convertParams(pagination, readTypeOf(uid));
      const related = convertLoad(params ?? {}, checkName(field), readTypeOf(uid)) as Named | undefined;
      return queries(uid).loadPages(entry, field, {
        ...related,
        page: page as unknown,
        pageSize: pageSize as unknown,
      });
    },
  };
}

/**
 * The files that media fields of an entry take: others would be stored for nothing. Of several for one, the last
 * counts.
 */
async function placeableFiles(
  { plugins: { entries } }: Runtime,
  { uid, attributes }: ContentType,
  id: unknown,
  files: readonly (readonly [string, unknown])[],
): Promise<readonly (readonly [string, unknown])[]> {
  const paths = files.map(([field]) => pathOf(field));
  const stored = await entries.findFirst(uid, { filters: { id }, populate: populateFor(attributes, paths) });
  return files.flatMap(([name, uploaded], index) => {
    const field = mediaFieldAt({}, attributes, paths[index] ?? [], stored ?? {});
    if (field === undefined) return [];
    return [[name, field.many ? uploaded : [uploaded].flat().at(-1)] as const];
  });
}

function createEntityWrites({ strapi, utils }: StrapiContext, access: EntityAccess) {
  const { runtime, typeOf, modelOf, queries, findOne } = access;
  /** Does a write with its event, which shows the result without private attributes. */
  const announcing = async (
    uid: string,
    action: 'create' | 'update' | 'delete',
    params: Params,
    write: (queries: Queries) => Promise<Named | null>,
  ): Promise<Named | null> =>
    runtime().documents.events.withOwn(typeOf(uid), action, [`entry.${action}`], async (open) => {
      const event = open();
      const entry = await write(queries(uid, params, () => event));
      if (event !== undefined) await event.complete(entry === null ? undefined : await sanitize(uid, entry));
      return entry;
    });
  const sanitize = (uid: string, entry: unknown): Promise<unknown> =>
    utils['sanitize'].sanitizers.defaultSanitizeOutput(modelOf(uid), entry);
  /** Writes data, uploads the files of a form into media attributes, and returns the entry. */
  const write = (uid: string, action: 'create' | 'update', params: Named, written: Named): Promise<Named | null> =>
    announcing(uid, action, params, async (writing) => {
      const entry: Named | null = await writing[action]({ ...selectionOf(params, typeOf(uid)), ...written });
      const files = Object.entries((params['files'] ?? {}) as Named);
      if (files.length === 0 || entry === null) return entry;
      const { id } = entry as { readonly id: unknown };
      const upload: Named | undefined = strapi.plugin('upload')?.service('upload');
      if (upload === undefined) throw new Error('Files cannot be uploaded: the plugin upload is disabled');
      for (const [field, uploaded] of await placeableFiles(runtime(), typeOf(uid), id, files)) {
        await upload['upload']({ data: { ref: uid, refId: id, field }, files: uploaded });
      }
      return findOne(uid, id, params);
    });
  /**
   * The data of a new entry with its locale, which lifecycles see. Where the entry joins others, its group decides
   * about it.
   */
  const withLocale = async (uid: string, data: Named): Promise<Named> =>
    isLocalized(typeOf(uid)) && isAbsent(data['locale']) && isAbsent(data['localizations'])
      ? { ...data, locale: (await strapi.plugin('i18n')?.service('locales').getDefaultLocale()) as unknown }
      : data;
  /** An entry keeps its locale and its localizations. */
  const withinLocale = (uid: string, data: Named): Named =>
    isLocalized(typeOf(uid)) ? lodash.omit(data, ['locale', 'localizations']) : data;
  return {
    /** Tells of an entry as an own write does, for code that writes by `db.query`. */
    emitEvent: async (uid: string, event: string, entry: unknown) => {
      const { modelName: model } = modelOf(uid);
      void strapi.eventHub.emit(event, { model, uid, entry: await sanitize(uid, entry) });
    },
    create: async (uid: string, params: Named = {}) => {
      if (!params['data']) throw new Error('cannot create');
      checkType(uid, strapi.getModel(uid));
      checkData(params['data'], 'creation', modelOf(uid));
      const data = await withLocale(uid, params['data'] as Named);
      const valid = await runtime().documents.validate(typeOf(uid), data, { id: undefined });
      return write(uid, 'create', params, { data: { ...unvalidated(data, typeOf(uid)), ...valid } });
    },
    update: async (uid: string, id: unknown, params: Named = {}) => {
      const stored: unknown = await queries(uid, params).findOne({ where: { id } });
      if (stored === null) return null;
      checkData(params['data'], 'update', modelOf(uid));
      const data = withinLocale(uid, params['data'] as Named);
      const valid = await runtime().documents.validate(typeOf(uid), data, { id: Number(id) });
      return write(uid, 'update', params, { where: { id }, data: { ...unvalidated(data, typeOf(uid)), ...valid } });
    },
    clone: async (uid: string, id: unknown, params: Named = {}) => {
      const type = typeOf(uid);
      const { data = {} } = params;
      checkData(data, 'creation', modelOf(uid));
      const original: Named | null = await queries(uid).findOne({
        where: { id },
        populate: clonePopulate(type.attributes),
      });
      if (original === null) throw new errors.NotFoundError();
      const valid = await runtime().documents.validate(type, data, { id: Number(id) });
      return write(uid, 'create', params, { data: changedClone(original, valid, type.attributes) });
    },
    delete: async (uid: string, id: unknown, params?: Params) => {
      const entry = await findOne(uid, id, params);
      if (entry === null) return null;
      return announcing(uid, 'delete', params, async (writing) => {
        await writing.delete({ where: { id: (entry['id'] as unknown) ?? id } });
        return entry;
      });
    },
    deleteMany: async (uid: string, params?: Params) => {
      const query = convertParams(params ?? {}, typeOf(uid));
      const entries: readonly Named[] = await queries(uid).findMany(query);
      if (entries.length === 0) return { count: 0 };
      return runtime().documents.events.withOwn(typeOf(uid), 'delete', ['entry.delete'], async (open) => {
        const events = new Map(entries.map(({ id }) => [Number(id), open()]));
        const deleted: unknown = await queries(uid, params, (id) => events.get(Number(id))).deleteMany(query);
        for (const entry of entries) await events.get(Number(entry['id']))?.complete(await sanitize(uid, entry));
        return deleted;
      });
    },
  };
}

/**
 * Values that are not validated: timestamps, the id that code chooses, and those without an attribute. The latter are
 * not stored; project code uses them to pass information to lifecycles.
 */
const unvalidated = (data: unknown, { attributes }: ContentType): Named =>
  Object.fromEntries(Object.entries(data as Named).filter(([name]) => timestamps.has(name) || !attributes.has(name)));

const timestamps = new Set(['createdAt', 'updatedAt']);

function checkName(field: unknown): string {
  if (typeof field === 'string') return field;
  throw new Error(`Invalid load. Expected "${String(field)}" to be a string`);
}

/** @throws ValidationError for an invalid date or time; any other error unchanged */
function explain(error: unknown): never {
  throw error instanceof InvalidMomentError ? new errors.ValidationError(error.message) : error;
}

/** @throws ValidationError if it is not an object */
function checkData(data: unknown, action: 'creation' | 'update', { info }: Model): void {
  if (typeof data === 'object' && data !== null) return;
  const name = String(info['displayName']);
  throw new errors.ValidationError(
    `Invalid payload submitted for the ${action} of an entity of type ${name}. Expected an object, but got ${typeof data}`,
  );
}

/** @throws ValidationError about the data, as recorded, for an unknown content type */
function checkType(uid: string, model: Model | undefined): void {
  if (model !== undefined) return;
  const message = `unknown content type "${uid}"`;
  throw new errors.ValidationError(message, { errors: [{ path: [], message, name: 'ValidationError' }] });
}

type Validate = (
  model: Model,
  data: Named,
  options?: { readonly isDraft?: boolean },
  /** The entry that is updated. */
  entity?: Named | null,
) => Promise<Named>;

/** `strapi.entityValidator`: validates like the entity service, and returns the data with casts and defaults. */
export function createEntityValidator({ runtime }: StrapiContext): Named<Validate> {
  const validate =
    (action: 'creation' | 'update'): Validate =>
    async (model, data, { isDraft = false } = {}, entity) => {
      const { documents, registry } = runtime('strapi.entityValidator');
      const type = registry.contentTypes.get(model.uid);
      if (type === undefined)
        throw new Error(
          `strapi.entityValidator: "${model.uid}" is no content type; components are validated with their entry`,
        );
      checkData(data, action, model);
      const id = entity?.['id'] === undefined ? undefined : Number(entity['id']);
      const valid = await documents.validate(type, data, { isNew: action === 'creation', isDraft, id });
      return { ...unvalidated(data, type), ...valid };
    };
  return { validateEntityCreation: validate('creation'), validateEntityUpdate: validate('update') };
}
