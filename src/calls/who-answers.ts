import type { ContentType } from '../content-types/model/types.js';
import { AppError } from '../errors/app-error.js';
import { type AnsweredAction, type Answerer, type AnswererOf, areAnsweredBy } from '../plugins/contract/answerer.js';

/** A way to actions of Strapi v4 besides their own routes. */
interface Way {
  /** Who may answer the actions, so that the way leads around nobody. */
  readonly allowed: readonly Answerer[];
  /** What clients are told otherwise. */
  readonly refusal: (action: AnsweredAction, uid: string, path: string) => string;
}

/** The ways that refuse a request, beside the shortcuts, which are not there. */
export const ways = {
  // It runs neither the routes nor the guards of the project.
  batch: {
    allowed: ['core'],
    refusal: (action, uid) => `Code of the project takes part in ${action} of ${uid}: use its route`,
  },
  creationByKey: {
    allowed: ['core'],
    refusal: (_, uid) => `Code of the project creates the entries of ${uid}: use POST`,
  },
  // Guards run before the actions of every form.
  form: {
    allowed: ['core', 'guarded', 'none'],
    refusal: (action, uid, path) => `Code of the project answers ${action} of ${uid}: ${path} does not`,
  },
  // Guards of an update do not know that it creates.
  localeByUpdate: {
    allowed: ['core', 'none'],
    refusal: (action, uid) => `Code of the project takes part in ${action} of ${uid}: a PUT does not create a locale`,
  },
} as const satisfies Readonly<Record<string, Way>>;

/**
 * Refuses a way around code of the project.
 * @param path of the request, if the refusal names it
 * @throws AppError badRequest
 */
export function refuseBypass(
  answererOf: AnswererOf,
  way: keyof typeof ways,
  type: ContentType,
  actions: readonly AnsweredAction[],
  path = '',
): void {
  const { allowed, refusal } = ways[way] as Way;
  const passed = actions.find((action) => !areAnsweredBy(allowed, answererOf, type, [action]));
  if (passed !== undefined) throw new AppError('badRequest', refusal(passed, type.uid, path));
}

/** What of an action, its code and its caller decides who runs it, where code of the project can. */
export interface Running {
  /** Code has its own controller or service. */
  readonly isOverridden: boolean;
  /** Code receives events of the action, or of reading its entry: these are among the events of each write. */
  readonly isObserved: boolean;
  readonly isReadObserved: boolean;
  /** Rules limit the caller: code runs with all permissions. */
  readonly hasRules: boolean;
  /** The request names a state of entries with working copies, which code does not know. */
  readonly namesState: boolean;
  /** The request publishes by its status. */
  readonly publishes: boolean;
}

/** The core, whose writes run the events; code, by the entity service with its events; or nobody. */
export type Runner = 'core' | 'code' | 'forbidden' | 'refused';

/** The first row whose conditions hold. */
const runners: readonly (readonly [when: Partial<Running>, runner: Runner])[] = [
  [{ hasRules: true, isOverridden: true }, 'forbidden'],
  [{ hasRules: true }, 'core'],
  [{ isOverridden: true, namesState: true }, 'refused'],
  [{ isOverridden: true }, 'code'],
  [{ isObserved: false }, 'core'],
  [{ isReadObserved: true, namesState: true }, 'refused'],
  [{ isReadObserved: true }, 'code'],
  [{ namesState: true }, 'core'],
  [{ publishes: true }, 'core'],
  [{}, 'code'],
];

/** Who runs an action of Strapi v4, over REST and GraphQL. */
export function runnerOf(running: Running): Runner {
  const holds = ([when]: (typeof runners)[number]): boolean =>
    Object.entries(when).every(([name, value]) => running[name as keyof Running] === value);
  return runners.find(holds)?.[1] ?? 'code';
}
