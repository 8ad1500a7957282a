import { AsyncLocalStorage } from 'node:async_hooks';
import lodash from 'lodash';
import { isRecord } from '../../config/record.js';
import type { ProjectHooks } from '../../documents/hooks.js';
import { markThrownByCode } from '../../errors/thrown-by-code.js';
import { isOfDatabase } from '../../mongo/errors.js';
import { withAbsent } from '../absent-members.js';
import { columnsOf } from './column-names.js';
import type { AnsweredAction } from '../../plugins/contract/answerer.js';
import type { Anything, EventName, Lifecycles, Model, Named } from '../strapi.js';

/** The event as received by code. */
interface LifecycleEvent {
  action: string;
  readonly model: Anything;
  params: Named;
  /** The state of a subscriber between the events before and after a call. */
  state: Named;
  result?: Anything;
}

interface Subscriber {
  readonly models?: readonly string[];
  readonly [action: string]: unknown;
}

type Listener = Subscriber | ((event: LifecycleEvent) => unknown);
/** The state of each subscriber between the events before and after a call. */
type States = Map<Listener, Named>;

/** Set during a call of project code, which has already run its events. */
const insideCall = new AsyncLocalStorage<true>();

/** @param modelOf the model that events show @param readEntry reads an entry for writes of the service itself */
export function createLifecycles(
  modelOf: (uid: string) => Model | undefined,
  readEntry: (uid: string, id: number) => Promise<Named | null>,
): Lifecycles {
  const subscribers = new Set<Listener>();
  let enabled = true;

  const run = async (
    action: string,
    uid: string,
    params: Named,
    states: States = new Map(),
    outcome: Pick<LifecycleEvent, 'result'> = {},
  ): Promise<void> => {
    if (!enabled) return;
    for (const subscriber of [stampTimes, ...subscribers]) {
      if (!listensTo(subscriber, uid)) continue;
      const state = states.get(subscriber) ?? {};
      const event: LifecycleEvent = { action, model: describe(uid), state, params, ...outcome };
      await notify(subscriber, event);
      states.set(subscriber, event.state);
    }
  };
  const describe = (uid: string): Named => {
    const model = modelOf(uid);
    return {
      ...model,
      uid,
      singularName: model?.info['singularName'] as unknown,
      tableName: model?.collectionName,
      // What only the database of Strapi has.
      indexes: [],
      foreignKeys: [],
      get columnToAttribute() {
        return columnsOf(model?.attributes ?? {});
      },
    };
  };
  const hears = (uid: string, names: readonly EventName[]): boolean =>
    [...subscribers].some(
      (subscriber) => listensTo(subscriber, uid) && names.some((name) => handles(subscriber, name)),
    );
  const isObserved: Lifecycles['isObserved'] = (uid, action) =>
    hears(uid, (modelOf(uid)?.kind === 'singleType' ? singleEvents : collectionEvents)[action]);

  const around: Lifecycles['around'] = async (uid, name, params, work) => {
    const states: States = new Map();
    await run(`before${name}`, uid, params, states);
    const result = await insideCall.run(true, () => work(params));
    if (result === undefined) return null as never;
    await run(`after${name}`, uid, params, states, { result });
    return result;
  };
  /** Whether a write of the service itself has events: those of project code run around its calls. */
  const hasEvents = (uid: string, action: 'create' | 'update' | 'delete'): boolean =>
    insideCall.getStore() !== true && hears(uid, [writeEvents[action]]);
  const hooks: ProjectHooks = {
    runsCode: ({ uid }) => writes.some((action) => isObserved(uid, action)),
    prepare: async (data, { action, type, id }) => {
      if (!hasEvents(type.uid, action)) return data;
      const params = { data: { ...data }, ...(id !== undefined && { where: { id } }) };
      await run(`before${lodash.upperFirst(action)}`, type.uid, params);
      return params.data;
    },
    beforeDelete: async ({ type, id }) => {
      if (hasEvents(type.uid, 'delete')) await run('beforeDelete', type.uid, { where: { id } });
    },
    afterWrite: async ({ action, type, id }) => {
      if (!hasEvents(type.uid, action)) return;
      const result = action === 'delete' ? { id } : await insideCall.run(true, () => readEntry(type.uid, id));
      const params = { where: { id }, data: {} };
      await run(`after${lodash.upperFirst(action)}`, type.uid, params, new Map(), { result });
    },
  };
  const lifecycles = {
    subscribe: (subscriber: Anything) => {
      subscribers.add(subscriber);
      return () => void subscribers.delete(subscriber);
    },
    clear: () => subscribers.clear(),
    disable: () => void (enabled = false),
    enable: () => void (enabled = true),
    isObserved,
    hooks,
    around,
  };
  return withAbsent('strapi.db.lifecycles', lifecycles);
}

const writeEvents = { create: 'Create', update: 'Update', delete: 'Delete' } as const;
const writes = ['create', 'update', 'delete'] as const;

/** The events of what the actions of a content type do by the entity service, as in Strapi v4. */
const collectionEvents: Readonly<Record<AnsweredAction, readonly EventName[]>> = {
  find: ['FindMany', 'Count'],
  findOne: ['FindOne'],
  create: ['Create', 'FindOne'],
  update: ['FindOne', 'Update'],
  delete: ['FindOne', 'Delete'],
  createLocalization: ['FindOne', 'Create'],
};

const singleEvents: typeof collectionEvents = {
  ...collectionEvents,
  find: ['FindOne'],
  update: ['FindOne', 'Count', 'Create', 'Update'],
};

/** Whether a subscriber receives the event before or after this. A function receives all. */
const handles = (listener: Listener, name: EventName): boolean =>
  typeof listener === 'function' ||
  ['before', 'after'].some((when) => typeof listener[`${when}${name}`] === 'function');

const listensTo = (listener: Listener, uid: string): boolean =>
  typeof listener === 'function' || listener.models === undefined || listener.models.includes(uid);

/**
 * @throws what the subscriber throws, marked as an error of code unless it is one of the database that code passes on
 */
async function notify(subscriber: Listener, event: LifecycleEvent): Promise<void> {
  try {
    if (typeof subscriber === 'function') await subscriber(event);
    else await callMethod(subscriber, event);
  } catch (error) {
    if (!isOfDatabase(error)) markThrownByCode(error);
    throw error;
  }
}

async function callMethod(subscriber: Subscriber, event: LifecycleEvent): Promise<void> {
  const method = subscriber[event.action];
  if (typeof method === 'function') await Reflect.apply(method, subscriber, [event]);
}

/** Entries have timestamps before events describe them. */
const stampTimes: Subscriber = {
  beforeCreate: ({ params }: LifecycleEvent) => stampNew(params['data']),
  beforeCreateMany: ({ params }: LifecycleEvent) => {
    if (Array.isArray(params['data'])) for (const data of params['data']) stampNew(data);
  },
  beforeUpdate: ({ params }: LifecycleEvent) => {
    if (isRecord(params['data'])) Object.assign(params['data'], { updatedAt: new Date() });
  },
};

function stampNew(data: unknown): void {
  if (!isRecord(data)) return;
  const now = new Date();
  Object.assign(data, { createdAt: data['createdAt'] ?? now, updatedAt: data['updatedAt'] ?? now });
}
