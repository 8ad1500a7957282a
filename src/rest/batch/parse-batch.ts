import { isRecord } from '../../config/record.js';
import { isLocalized } from '../../content-types/model/localized.js';
import type { ContentType, Registry } from '../../content-types/model/types.js';
import { listingOf } from '../../documents/listings.js';
import { AppError } from '../../errors/app-error.js';
import { hasStatus, parseWrittenStatus, type Status } from '../../query/parse/parse-status.js';
import type { CoreAction } from '../../plugins/contract/answerer.js';

/** An operation as clients write it, with its content type. */
export interface WrittenOperation {
  readonly action: 'create' | 'update' | 'delete';
  readonly type: ContentType;
  /** Of an existing entry. */
  readonly id: number;
  readonly as: string | undefined;
  /** The entry of which a new one is the localization: its id, or `$` and its name. */
  readonly localizationOf: number | string | undefined;
  readonly data: unknown;
  readonly ifMatch: string | undefined;
  readonly status: Status | undefined;
}

const actions = ['create', 'update', 'delete'] as const satisfies readonly CoreAction[];

/**
 * The types of which a batch writes entries, by their lower-case paths: those of the project, and those of plugins that
 * have changes.
 */
export function batchTypes(
  { contentTypes }: Registry,
  own: ReadonlyMap<string, ContentType>,
): ReadonlyMap<string, ContentType> {
  const ofPlugins = [...contentTypes.values()].flatMap((type) => {
    const { path, changes } = listingOf(type) ?? {};
    return path === undefined || changes === undefined ? [] : [[path.slice('/'.length), type] as const];
  });
  return new Map([...own, ...ofPlugins]);
}

/** The actions on a content type of which an operation needs one. */
export function batchActions(type: ContentType): readonly string[] {
  const changes = listingOf(type)?.changes;
  return changes === undefined
    ? [...actions, 'createLocalization'].map((action) => `${type.uid}.${action}`)
    : [changes.action];
}

/** The properties of an operation beside its action, and those that it must have. */
const properties = {
  create: { allowed: ['as', 'localizationOf', 'data'], required: ['data'] },
  update: { allowed: ['id', 'data', 'ifMatch'], required: ['id', 'data'] },
  delete: { allowed: ['id', 'ifMatch'], required: ['id'] },
} as const satisfies Record<WrittenOperation['action'], unknown>;

const nameForm = /^[A-Za-z]\w{0,63}$/;

/**
 * The operations in the body of a batch.
 * @param limit how many it may have
 * @throws AppError badRequest
 */
export function parseBatch(
  body: unknown,
  types: ReadonlyMap<string, ContentType>,
  limit: number,
): readonly WrittenOperation[] {
  const { operations, ...others } = isRecord(body) ? body : {};
  refuseOthers('The body', others, []);
  if (!Array.isArray(operations) || operations.length === 0) throw refuse('operations must be a list of operations');
  if (operations.length > limit) throw refuse(`operations has ${operations.length} elements: at most ${limit}`);
  const parsed = operations.map((operation, index) => parseOperation(operation, `operations[${index}]`, types));
  const names = parsed.map(({ as }) => as);
  const written = parsed.map(({ action, type, id }) => (action === 'create' ? undefined : `${type.uid}:${id}`));
  refuseRepeated(names, 'as', 'another operation has this name');
  refuseRepeated(written, 'id', 'another operation writes this entry');
  return parsed;
}

function parseOperation(written: unknown, location: string, types: ReadonlyMap<string, ContentType>): WrittenOperation {
  if (!isRecord(written)) throw refuse(`${location} must be an object`);
  const [action, ...more] = actions.filter((name) => Object.hasOwn(written, name));
  if (action === undefined || more.length > 0) throw refuse(`${location} must have one of ${actions.join(', ')}`);
  const { [action]: name, ...rest } = written;
  const type = typeof name === 'string' ? types.get(name.toLowerCase()) : undefined;
  if (type === undefined) throw refuse(`${location}.${action} must be the path of a content type`);
  const { allowed, required } = properties[action];
  const mayHaveStatus = hasStatus(type) || (type.draftAndPublish && action === 'update');
  refuseOthers(location, rest, mayHaveStatus ? [...allowed, 'status'] : allowed);
  for (const key of required) if (rest[key] === undefined) throw refuse(`${location}.${key} is required`);
  const { as, localizationOf, data, ifMatch } = rest;
  const changes = listingOf(type)?.changes;
  if (changes !== undefined && action !== 'update') throw refuse(`${location}: ${type.uid} has only update`);
  if (changes !== undefined && isRecord(data)) refuseOthers(`${location}.data`, data, changes.attributes);
  if (as !== undefined && (typeof as !== 'string' || !nameForm.test(as)))
    throw refuse(`${location}.as must be a letter, then letters, digits and underscores`);
  if (ifMatch !== undefined && typeof ifMatch !== 'string') throw refuse(`${location}.ifMatch must be a string`);
  if (localizationOf !== undefined && !isLocalized(type)) throw refuse(`${location}: ${type.uid} has no localizations`);
  return {
    action,
    type,
    id: action === 'create' ? 0 : integer(rest['id'], `${location}.id`),
    as,
    localizationOf: isReference(localizationOf)
      ? localizationOf
      : integer(localizationOf, `${location}.localizationOf`),
    data,
    ifMatch,
    status: parseOperationStatus(rest['status'], type, location),
  };
}

/** @throws AppError badRequest, invalidParameter */
function parseOperationStatus(input: unknown, type: ContentType, location: string): Status | undefined {
  const status = parseWrittenStatus(input, type);
  if (status === undefined && input !== undefined && !hasStatus(type))
    throw refuse(`${location}.status must be "published": ${type.uid} has no working copies`);
  return status;
}

/** Whether it names an entry of the batch, or none at all. */
const isReference = (value: unknown): value is string | undefined =>
  value === undefined || (typeof value === 'string' && value.startsWith('$'));

function integer(value: unknown, location: string): number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value)) throw refuse(`${location} must be an integer`);
  return value;
}

function refuseOthers(location: string, given: object, allowed: readonly string[]): void {
  const key = Object.keys(given).find((name) => !allowed.includes(name));
  if (key !== undefined) throw refuse(`${location} must not have ${key}`);
}

function refuseRepeated(keys: readonly (string | undefined)[], property: string, rule: string): void {
  const index = keys.findIndex((key, at) => key !== undefined && keys.indexOf(key) < at);
  if (index >= 0) throw refuse(`operations[${index}].${property}: ${rule}`);
}

const refuse = (message: string): AppError => new AppError('badRequest', message);
