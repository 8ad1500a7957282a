import { explainLoading, missingPackage } from '../../config/project/load-module.js';
import { withinFolder } from '../../config/project/within-folder.js';
import { StartError } from '../../errors/start-error.js';
import type { Strapi, StrapiLog } from '../strapi.js';
import type { Phases } from './load-project.js';

export type Phase = 'register' | 'bootstrap' | 'destroy';

/** Code that runs in a phase of the service: of the project, of one of its APIs, or of a plugin. */
export interface Owner {
  /** `the project`, `the plugin menus`. */
  readonly name: string;
  readonly phases: Phases;
  /** The file of its phases, if it is one of the project. */
  readonly file: string | undefined;
  /** The file is of a plugin that the project extends. */
  readonly isExtension?: boolean;
}

/** How long code may take before the log says what the start waits for. */
const PATIENCE_MS = 10_000;

/**
 * Runs a phase of all owners, one after the other, as Strapi v4 does. The log names those that take long.
 * @param folder of the project
 * @throws StartError if a package is missing, or a plugin is extended by the project, with its file; else what the code
 * throws
 */
export async function runPhase(
  phase: Phase,
  owners: readonly Owner[],
  {
    folder,
    strapi,
    patience = PATIENCE_MS,
  }: {
    readonly folder: string;
    readonly strapi: Strapi;
    /** In milliseconds. */
    readonly patience?: number;
  },
): Promise<void> {
  for (const { name, phases, file, isExtension } of owners) {
    const place = file === undefined ? '' : `${file}: `;
    try {
      await sayIfLong(`${place}${phase} of ${name}`, { log: strapi.log, patience }, () =>
        withinFolder(folder, async () => phases[phase]?.({ strapi }) as unknown),
      );
    } catch (error) {
      if (isExtension !== true && missingPackage(error) === undefined) throw error;
      const where = isExtension === true ? place : '';
      throw new StartError(`${where}${phase} of ${name}: ${explainLoading(error, folder)}`, { cause: error });
    }
  }
}

async function sayIfLong<T>(
  what: string,
  { log, patience }: { readonly log: Pick<StrapiLog, 'warn'>; readonly patience: number },
  work: () => Promise<T>,
): Promise<T> {
  const say = (): void =>
    log.warn(`${what} has taken ${patience / 1000} seconds so far, and the service waits until it ends`);
  const timer = setTimeout(say, patience);
  try {
    return await work();
  } finally {
    clearTimeout(timer);
  }
}
