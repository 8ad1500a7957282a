import { formatPlace } from '../../config/project/locate-setting.js';
import { findReplacedMethods, type MadeServices } from '../services/made-services.js';
import type { StrapiContext } from '../strapi.js';
import { allSourcesOf } from './sources.js';
import type { ProjectCode } from './load-project.js';
import { placeOf } from './refused-guards.js';

/** Warns of each method of a built-in service that code replaces and that only code calls, with its place. */
export function warnOfReplacedMethods(made: MadeServices, code: ProjectCode, log: StrapiContext['log']): void {
  const replaced = findReplacedMethods(made);
  const sources = replaced.length === 0 ? [] : allSourcesOf(code);
  for (const one of replaced) {
    const place = formatPlace(placeOf({ ...one, problem: '' }, sources, code));
    log.warn(
      `${place}: code replaces ${one.member} of ${one.name}, which only code calls: actions of the service do not`,
    );
  }
}
