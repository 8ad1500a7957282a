import lodash from 'lodash';
import { isAbsent, isRecord } from '../../config/record.js';
import { attributeTypes } from '../../content-types/model/attribute-types.js';
import { parseDay, parseTimeOfDay } from '../../content-types/model/dates.js';
import type { Attribute, ContentType, ScalarAttribute } from '../../content-types/model/types.js';
import { system, type Caller } from '../../documents/caller.js';
import type { EntryRequest } from '../../documents/context.js';
import type { Documents } from '../../documents/documents.js';
import { withoutDrafts } from '../../documents/hide-drafts.js';
import { hasCode } from '../../errors/app-error.js';
import { plainEntry } from '../../query/entry-presenter.js';
import type { Lifecycles, Named } from '../strapi.js';
import { parseId } from '../../query/parse/input.js';
import { parseType } from '../utilities/parse-type.js';
import { checkOperand, textOf } from './check-where.js';
import { withId, type Reads } from './reads.js';
import { refuseRelated } from './related-files.js';

/** The selection of a written entry: only its id. */
const idOnly = { fields: [], populate: [] } as const;

/** Errors in unvalidated data are treated as database errors, which clients do not see. */
function databaseError(error: unknown): unknown {
  if (!hasCode(error, 'validation', 'invalidValue')) return error;
  const issues = error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  const message = issues.length > 0 ? issues.join('; ') : error.message;
  const isTaken = error.issues.some(({ rule }) => rule === 'unique');
  return new Error(isTaken ? `${message}${advice}` : message, { cause: error });
}

const advice =
  ' (an index of the database protects it from db.query as well; give each entry its own value, or remove "unique" from the definition)';

/** A call of the entity service, which has validated the data. */
export interface EntityCall {
  /** From whom some drafts are hidden; undefined: all entries exist. */
  readonly client: Caller | undefined;
  /** A preview link shows what is read to the client, also as a draft. */
  readonly isPreviewed: boolean;
  /** The event of a write; as recorded, `strapi.db.query` has none. @param id undefined for a new entry */
  readonly eventOf: ((id: number | undefined) => EntryRequest['event']) | undefined;
}

/** A read with events. */
export type FindOne = (params: Named) => Promise<Named | null>;

interface WriteParts {
  readonly around: Lifecycles['around'];
  readonly reads: Reads;
  readonly findOne: FindOne;
  /** Undefined for `strapi.db.query`. */
  readonly call: EntityCall | undefined;
  /** A new entry is published, as a row of Strapi 5. */
  readonly isPublishedRow: boolean;
}

/** Writes between their events, without validation. */
export function createWrites(
  uid: string,
  documents: Documents,
  { around, reads, findOne, call, isPublishedRow }: WriteParts,
) {
  const { type } = reads;
  const process = call === undefined ? processData : (data: unknown): Named => data as Named;
  const translate = (error: unknown): never => {
    throw call === undefined ? databaseError(error) : error;
  };
  const ifMissing = (error: unknown): false => (hasCode(error, 'notFound') ? false : translate(error));
  const limitedBy = call?.client === undefined ? system : withoutDrafts(call.client);
  const requestFor = (id: number | undefined): EntryRequest => {
    const event = call?.eventOf?.(id) ?? 'none';
    return { caller: system, limitedBy, presenter: plainEntry, selection: idOnly, event };
  };
  const options = { publish: false, raw: true } as const;
  /** @param given the data of code, which can choose the id */
  const create = async (data: Named, given: unknown): Promise<number> => {
    const own = { ...options, id: chosenId(given) };
    const created = await documents.create(type, data, requestFor(undefined), own).catch(translate);
    return (created as { readonly id: number }).id;
  };
  const findWritten = (params: Named): Promise<Named | null> => around(uid, 'FindOne', params, reads.shown);
  return {
    create: async (params: Named = {}) =>
      around(uid, 'Create', params, async ({ data, select, populate }) => {
        refuseRelated(uid, data);
        await reads.check({ select, populate });
        const id = await create(
          isPublishedRow ? { publishedAt: new Date(), ...process(data, type) } : process(data, type),
          data,
        );
        return findWritten({
          where: isPublishedRow ? { id, publishedAt: { $notNull: true } } : { id },
          select,
          populate,
        });
      }),
    createMany: async (params: Named = {}) =>
      around(uid, 'CreateMany', params, async ({ data }) => {
        if (!Array.isArray(data)) throw new Error('CreateMany expects data to be an array');
        if (data.length === 0) throw new Error('Nothing to insert');
        const processed = data.map((item) => processPlainData(item, type));
        // An error is thrown after all other writes.
        const created = await Promise.allSettled(processed.map((item, index) => create(item, data[index])));
        const ids = created.map((result) => {
          if (result.status === 'rejected') throw result.reason;
          return result.value;
        });
        return { count: ids.length, ids };
      }),
    update: async (params: Named = {}) =>
      around(uid, 'Update', params, async ({ where, data, select, populate }) => {
        refuseRelated(uid, data);
        const processed = process(data, type);
        if (isEmpty(where)) throw new Error('Update requires a where parameter');
        await reads.check({ select, populate });
        const found = await reads.first({ where, select: ['id'] });
        if (found === null) return undefined;
        const id = Number(found['id']);
        keepId(uid, data, id);
        const isThere = await documents
          .update({ type, id }, processed, requestFor(id), options)
          .then(() => true, ifMissing);
        return isThere ? findWritten({ where: { id }, select, populate }) : undefined;
      }),
    updateMany: async (params: Named = {}) =>
      around(uid, 'UpdateMany', params, async ({ where, data }) => {
        keepId(uid, data);
        const processed = processPlainData(data, type);
        if (Object.keys(processed).length === 0) throw new Error('Update requires data');
        const filter = await reads.filter({ where });
        return { count: await documents.updateMany(type, filter, processed, requestFor(undefined)).catch(translate) };
      }),
    delete: async (params: Named = {}) =>
      around(uid, 'Delete', params, async ({ where, select, populate }) => {
        if (isEmpty(where)) throw new Error('Delete requires a where parameter');
        const entry = await findOne(withId({ where, select, populate }));
        if (entry === null) return undefined;
        const id = Number(entry['id']);
        await documents.delete({ type, id }, requestFor(id)).catch(ifMissing);
        return entry;
      }),
    deleteMany: async (params: Named = {}) =>
      around(uid, 'DeleteMany', params, async ({ where }) => {
        const filter = await reads.filter({ where });
        const request = requestFor(undefined);
        return { count: await documents.deleteMany(type, filter, request, requestFor).catch(translate) };
      }),
  };
}

/** Ids above the highest that code can choose stay for the entries that follow. */
const HIGHEST_CHOSEN = 2 ** 52;

/** The id that code chooses for an entry, as in Strapi v4. @throws Error for what is no id */
function chosenId(data: unknown): number | undefined {
  const given: unknown = isRecord(data) ? data['id'] : undefined;
  if (isAbsent(given)) return undefined;
  const id = parseId(typeof given === 'bigint' ? String(given) : given);
  if (id === undefined || id === 0 || id > HIGHEST_CHOSEN)
    throw new Error(`an id is a positive integer up to 2^52, not ${String(given)}`);
  return id;
}

/** @throws Error for data that would change an id */
function keepId(uid: string, data: unknown, id?: number): void {
  const given = chosenId(data);
  if (given !== undefined && given !== id)
    throw new Error(`the id of an entry of ${uid} cannot be changed to ${given}`);
}

const isEmpty = (where: unknown): boolean =>
  typeof where !== 'object' || where === null || Object.keys(where).length === 0;

/**
 * The data of a write for the documents service, not validated, but with values of the attributes' types.
 * @throws Error for data that is not an object, and for a value that the type of the attribute cannot hold
 */
export function processData(data: unknown, { attributes }: ContentType): Named {
  if (!isRecord(data) || data instanceof Date) throw new Error('expected a data object');
  return lodash.mapValues(data, (value, name) => valueOf(value, attributes.get(name)));
}

/** The data of a write to several entries: like `processData`, without relations. */
export function processPlainData(data: unknown, type: ContentType): Named {
  const processed = Object.entries(processData(data, type));
  return Object.fromEntries(processed.filter(([name]) => type.attributes.get(name)?.kind === 'scalar'));
}

function valueOf(value: unknown, attribute: Attribute | undefined): unknown {
  if (attribute?.kind === 'relation' || attribute?.kind === 'morphed') return relatedOf(value);
  if (attribute?.kind !== 'scalar' || value === null || value === undefined) return value;
  const written = value instanceof Date ? momentOf(value, attribute) : convert(value, attribute);
  checkOperand(attribute, written);
  return written;
}

const changes = ['set', 'connect', 'disconnect'] as const;

/** As in Strapi v4, a query takes one related entry where other writes need a list, and leaves out null. */
function relatedOf(value: unknown): unknown {
  if (Array.isArray(value)) return withoutNull(value);
  if (!isRecord(value)) return value;
  const lists = changes.filter((key) => !isAbsent(value[key])).map((key) => [key, withoutNull([value[key]].flat())]);
  return { ...value, ...Object.fromEntries(lists) };
}

const withoutNull = (list: readonly unknown[]): readonly unknown[] => list.filter((element) => !isAbsent(element));

function momentOf(value: Date, { type }: ScalarAttribute): string {
  if (type === 'date') return parseDay(value);
  return type === 'time' ? parseTimeOfDay(value) : value.toISOString();
}

function convert(value: unknown, { type }: ScalarAttribute): unknown {
  if (type === 'boolean') return parseType({ type, value, forceCast: true });
  const { kind, shape } = attributeTypes[type];
  // Blanks are 0. What is not a number stays, and is refused.
  if (kind === 'number' && shape !== 'long') return Number.isNaN(Number(value)) ? value : Number(value);
  return kind === 'text' ? textOf(value) : value;
}
