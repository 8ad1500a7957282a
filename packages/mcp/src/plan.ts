import {
  AppError,
  type Attributes,
  type Caller,
  canReadRelation,
  componentsIn,
  type ContentType,
  dropWithheld,
  isLocalized,
  isOwnType,
  listingOf,
  parseSchedule,
  pathNameOf,
  type PluginContext,
  populateOf,
  type Registry,
  tagOf,
  writtenForm,
  defined,
  isRecord,
  type Data,
} from 'content-service/plugin';
import { Refused, type ApiRequest, type ApiResponse, type CallApi } from './api.js';
import type { AssistantOperation } from './operation.js';

type Part = Exclude<keyof AssistantOperation, 'action' | 'type' | 'ifMatch'>;

/** What an operation consists of, beside its type. */
const parts: Readonly<Record<AssistantOperation['action'], readonly Part[]>> = {
  create: ['as', 'localizationOf', 'data'],
  update: ['id', 'locale', 'data'],
  delete: ['id', 'locale'],
  publish: ['id', 'locale'],
  unpublish: ['id', 'locale'],
  schedule: ['id', 'locale', 'publishAt', 'unpublishAt'],
};

/** Who proposes and applies. */
export interface Proposer {
  readonly caller: Caller;
  /** Distinguishes callers. */
  readonly owner: string;
  readonly call: CallApi;
  readonly context: Pick<PluginContext, 'registry' | 'entries'>;
}

/** A write of one entry, and what it changes. */
export interface Step {
  readonly action: 'create' | 'update' | 'delete' | 'schedule';
  readonly uid: string;
  /** Undefined for a new entry. */
  readonly id?: number | undefined;
  readonly as?: string | undefined;
  readonly localizationOf?: number | string | undefined;
  readonly locale?: string | undefined;
  /** What is written; the times of a schedule. */
  readonly data: Data;
  /** The values that it replaces, in the form of a request; undefined if there are none. */
  readonly before?: Data | undefined;
  readonly ifMatch?: string | undefined;
}

/** Steps, and the one request that does all of them. */
export interface WritePlan {
  readonly steps: readonly Step[];
  readonly request: ApiRequest;
}

/** A plan that was tried. */
export interface Tried extends WritePlan {
  /** The entries that it would write, one for each step; none if it could not be tried. */
  readonly entries: readonly unknown[];
  /** Only the request itself can tell whether it is accepted: lifecycles of the project run with it. */
  readonly isUntried?: true;
}

/** A content type of the project by its uid or its name in paths. @throws AppError badRequest */
export function findType({ contentTypes }: Registry, name: string): ContentType {
  const wanted = name.toLowerCase();
  const type = [...contentTypes.values()].find(
    (one) =>
      isOwnType(one) && [one.uid, pathNameOf(one), one.singularName].some((known) => known.toLowerCase() === wanted),
  );
  if (type === undefined)
    throw new AppError('badRequest', `Unknown type "${name.slice(0, 100)}": describe_content lists the types`);
  return type;
}

/** A type of which entries can be written: one of the project, or uploaded files. @throws AppError badRequest */
function findWritten(registry: Registry, name: string): ContentType {
  const files = registry.contentTypes.get('plugin::upload.file');
  return files !== undefined && [files.uid, 'files'].includes(name) ? files : findType(registry, name);
}

export const typeOf = ({ uid }: Step, { context }: Proposer): ContentType =>
  context.registry.contentTypes.get(uid) as ContentType;

/** The writes of operations, with the values that they replace. @throws Refused, AppError badRequest */
export async function readSteps(operations: readonly AssistantOperation[], by: Proposer): Promise<readonly Step[]> {
  const steps: Step[] = [];
  for (const [index, operation] of operations.entries()) {
    try {
      steps.push(await readStep(operation, findWritten(by.context.registry, operation.type), by));
    } catch (error) {
      throw error instanceof AppError ? error.within(`operations[${index}]`, ['operations', String(index)]) : error;
    }
  }
  return steps;
}

async function readStep(operation: AssistantOperation, type: ContentType, { caller, call }: Proposer): Promise<Step> {
  const { action, id, as, localizationOf, locale, ifMatch } = operation;
  const { uid, attributes } = type;
  checkParts(operation, type);
  const data = dataOf(operation, type);
  if (action === 'create' || action === 'update') refuseOmitted(data, type, action, caller);
  if (action === 'create') return { action, uid, as, localizationOf, data };
  const path = pathOf(type, id);
  const query = queryOf(operation, type);
  if (action === 'schedule') {
    const entry = id ?? idIn((await call({ method: 'GET', path, query })).body['data']);
    const response = await call({ method: 'GET', path: schedulePath(type, entry) });
    const { data: before } = response.body;
    const version = ifMatch ?? versionOf(response);
    return { action, uid, id: entry, locale, data, before: isRecord(before) ? before : {}, ifMatch: version };
  }
  const changed = [...attributes.values()].filter(({ name }) => action === 'delete' || name in data);
  const plain = await call({ method: 'GET', path, query });
  const entry = listingOf(type)?.hasEnvelope === false ? plain.body : plain.body['data'];
  const populate = populateOf(changed.filter(({ writable }) => writable));
  const whole = populate === undefined ? plain : await call({ method: 'GET', path, query: { ...query, populate } });
  const names = new Set(changed.map(({ name }) => name));
  const values = Object.entries({ ...attributesOf(entry), ...attributesOf(whole.body['data']) });
  const before = writtenForm(Object.fromEntries(values.filter(([name]) => names.has(name))), attributes);
  return {
    action: action === 'delete' ? action : 'update',
    uid,
    id: idIn(entry),
    locale,
    data,
    before,
    ifMatch: ifMatch ?? versionOf(plain),
  };
}

/** Refuses parts without a meaning, and what the API has only for entries with ids. @throws AppError badRequest */
function checkParts(operation: AssistantOperation, type: ContentType): void {
  const { action, type: _, ifMatch: __, ...given } = operation;
  const { id, locale, localizationOf } = given;
  const refuse = (reason: string): never => {
    throw new AppError('badRequest', reason);
  };
  for (const name of Object.keys(defined(given)))
    if (!parts[action].includes(name as Part)) refuse(`${action} has no "${name}", but ${parts[action].join(', ')}`);
  if (!isOwnType(type) && action !== 'update') refuse('Of files only their texts can be changed: use update');
  if (type.kind === 'collectionType') {
    if (locale !== undefined)
      refuse('"locale" is for single types: localizations of other types have ids of their own');
    if (id === undefined && action !== 'create') refuse(`${action} needs the id of an entry`);
    return;
  }
  if (id !== undefined) refuse(`${type.uid} has no ids: leave out "id"; "locale" names a localization`);
  if ((locale ?? localizationOf) !== undefined && !isLocalized(type)) refuse(`${type.uid} has no localizations`);
}

/** The version of what a response shows, which a setting can leave out of its headers. */
const versionOf = ({ headers, body }: ApiResponse): string => headers.etag ?? tagOf(JSON.stringify(body));

/**
 * Refuses what a write would leave out without a word: the difference would show what does not happen.
 * @throws AppError badRequest, validation
 */
function refuseOmitted(data: Data, type: ContentType, action: 'create' | 'update', caller: Caller): void {
  const written = dropWithheld(data, type, action, caller) as Data;
  const refuse = (name: string): never => {
    throw new AppError(
      'badRequest',
      `You cannot write "${name}": describe_content lists the attributes of ${type.uid}`,
    );
  };
  const check = (values: Data, attributes: Attributes, given: readonly string[] = []): void => {
    for (const [name, value] of Object.entries(values)) {
      if (given.includes(name)) continue;
      const attribute = attributes.get(name);
      if (attribute === undefined || !attribute.writable || !canReadRelation(attribute, caller)) return refuse(name);
      for (const { data: inner, component } of componentsIn(value, attribute))
        if (component !== undefined) check(inner, component.attributes, ['id', '__component']);
    }
  };
  // A write keeps the locale of an entry, and decides itself what its localizations are.
  const kept = isLocalized(type) ? ['localizations', ...(action === 'update' ? ['locale'] : [])] : [];
  for (const name of Object.keys(data)) if (!Object.hasOwn(written, name) || kept.includes(name)) refuse(name);
  check(data, type.attributes);
}

/** The values of an entry in a response; a file has them beside its id. */
export const attributesOf = (entry: unknown): Data => {
  const { attributes = entry } = isRecord(entry) ? entry : {};
  return isRecord(attributes) ? attributes : {};
};

export const idIn = (entry: unknown): number | undefined => (isRecord(entry) ? (entry['id'] as number) : undefined);

function dataOf(
  { action, data, publishAt, unpublishAt }: AssistantOperation,
  { draftAndPublish, uid }: ContentType,
): Data {
  if (action === 'create' || action === 'update') {
    if (data === undefined) throw new AppError('badRequest', `${action} needs data`);
    return data;
  }
  if (action === 'delete') return {};
  if (!draftAndPublish) throw new AppError('badRequest', `${uid} has no drafts: its entries are always published`);
  if (action === 'schedule') {
    const times = { publishAt: publishAt ?? null, unpublishAt: unpublishAt ?? null };
    if (!isCancelled(times)) parseSchedule(times, new Date());
    return times;
  }
  return { publishedAt: action === 'publish' ? new Date().toISOString() : null };
}

/** As in Strapi v4, the draft of a single type is only found on request. */
const queryOf = ({ locale }: Pick<AssistantOperation, 'locale'>, { kind }: ContentType): Data =>
  kind === 'singleType' ? defined({ locale, publicationState: 'preview' }) : {};

/** The path of an entry below that of the API; a single type has one of them in each locale. */
const pathOf = (type: ContentType, id: number | undefined): string =>
  `/${nameOf(type)}${id === undefined || type.kind === 'singleType' ? '' : `/${id}`}`;

const schedulePath = (type: ContentType, id: number | undefined): string => `/${nameOf(type)}/${id}/schedule`;

/** A type as a batch names it. */
const nameOf = (type: ContentType): string => (listingOf(type)?.path ?? '').slice('/'.length);

/**
 * Tries the requests that can do all steps, without storing anything: a batch or, for one step, its own route, which
 * runs code of the project that a batch does not.
 * @throws Refused
 */
export async function tryOut(steps: readonly Step[], by: Proposer): Promise<Tried> {
  const [first, ...others] = steps;
  const isAlone = first !== undefined && others.length === 0;
  if (steps.some(({ action }) => action === 'schedule') && !isAlone)
    throw new AppError('badRequest', 'A schedule needs a proposal of its own');
  if (first?.action === 'schedule') return { steps, request: ownRequest(first, typeOf(first, by)), entries: [] };
  const batch: ApiRequest = {
    method: 'POST',
    path: '/batch',
    body: { operations: steps.map((step) => batched(step, typeOf(step, by))) },
  };
  // Localizations and files are part of a batch only: their own routes have no dry run.
  const hasOwn = isAlone && first.localizationOf === undefined && isOwnType(typeOf(first, by));
  const requests = [batch, ...(hasOwn ? [ownRequest(first, typeOf(first, by))] : [])];
  let refusal: unknown;
  let untried: ApiRequest | undefined;
  for (const request of requests) {
    try {
      const { body } = await by.call({ ...request, query: { ...request.query, dryRun: true } });
      return { steps, request, entries: entriesIn(body) };
    } catch (error) {
      if (!(error instanceof Refused) || error.status !== 400) throw error;
      refusal = error;
      if (isRecord(error.details) && error.details['code'] === WITHOUT_DRY_RUN) untried ??= request;
    }
  }
  if (untried !== undefined) return { steps, request: untried, entries: [], isUntried: true };
  throw refusal;
}

/** How the API refuses to try a write for which code of the project runs. */
const WITHOUT_DRY_RUN = 'lifecyclesRun';

/** The entries in the response to the request of a plan, one for each step. */
export const entriesIn = (body: ApiResponse['body']): readonly unknown[] => [body['data']].flat();

function batched({ action, id, as, localizationOf, data, ifMatch }: Step, type: ContentType): Data {
  const path = nameOf(type);
  if (action === 'create') return { create: path, ...defined({ as, localizationOf }), data };
  const version = ifMatch === undefined ? {} : { ifMatch };
  return action === 'delete' ? { delete: path, id, ...version } : { update: path, id, data, ...version };
}

const isCancelled = (times: Data): boolean => Object.values(times).every((time) => time === null);

function ownRequest({ action, id, locale, data, ifMatch }: Step, type: ContentType): ApiRequest {
  const path = pathOf(type, id);
  const query = queryOf({ locale }, type);
  const headers: Readonly<Record<string, string>> = ifMatch === undefined ? {} : { 'If-Match': ifMatch };
  switch (action) {
    case 'create':
      if (type.kind === 'collectionType') return { method: 'POST', path, body: { data } };
      // The entry of a single type is created by the first update.
      return { method: 'PUT', path, headers: { 'If-None-Match': '*' }, body: { data } };
    case 'update':
      return { method: 'PUT', path, query, headers, body: { data } };
    case 'delete':
      return { method: 'DELETE', path, query, headers };
    case 'schedule':
      return isCancelled(data)
        ? { method: 'DELETE', path: schedulePath(type, id), headers }
        : { method: 'POST', path: schedulePath(type, id), headers, body: data };
    default:
      return action satisfies never;
  }
}
