import fs from 'node:fs';
import path from 'node:path';
import { findUnknownPlugins } from '../../../app/load-project.js';
import { builtInPlugins, enabledPlugins, linkDefinitions, loadDefinitions } from '../../../app/load-registry.js';
import { findContentTypes } from '../../../config/choose-settings.js';
import type { Config } from '../../../config/config.js';
import { readConfig, readVariables } from '../../../config/load-config.js';
import type { Environment } from '../../../config/parse-variables.js';
import { setVariables } from '../../../config/project/variables.js';
import { StartError } from '../../../errors/start-error.js';
import { reasonOf } from '../../../errors/reason-of.js';
import { openProject } from '../../../strapi/open-project.js';
import { hasCode } from '../../../strapi/project/find-files.js';
import {
  describeMissing,
  describeUnsetVariables,
  findUnsetVariables,
} from '../../../strapi/project/unset-variables.js';
import { checkRoutes } from '../../../strapi/serve-project.js';
import { linesOf } from '../../../strapi/project/group-report.js';
import { describeProject, describeRestGuards, type ProjectReport } from '../../../strapi/project/report.js';
import { describeRefusedGuards } from '../../../strapi/project/refused-guards.js';
import { describeFailure } from '../../io/project.js';
import type { ExitCode } from '../../exit-codes.js';
import { inventVariables } from './missing-variables.js';
import type { BuiltInPlugin } from '../../../plugins/contract/built-in.js';

/**
 * Files are loaded, and routes are put together; no `register` or `bootstrap` runs, and no database is opened. What
 * cannot be loaded is listed, and the rest is reported.
 */
export async function inspect(
  project: string | undefined,
  { all, json }: { readonly all: boolean; readonly json: boolean },
): Promise<ExitCode> {
  try {
    const report = await readReport(project);
    if (json) console.log(JSON.stringify(report, null, 2));
    else print(report, all);
    if (report.failures.length > 0) return 2;
    return report.unsupported.length > 0 ? 1 : 0;
  } catch (error) {
    if (json) console.log(JSON.stringify({ error: String(describeFailure(error)) }, null, 2));
    else console.error(describeFailure(error));
    return 2;
  }
}

/** A report with all of its parts. */
type Inspection = Required<ProjectReport>;

/** @throws StartError if the project cannot be loaded */
async function readReport(folder: string | undefined): Promise<Inspection> {
  const variables = folder === undefined ? {} : { CONTENT_TYPES: contentTypesOf(path.resolve(folder)) };
  const failures: string[] = [];
  const warnings: string[] = [];
  const warn = (line: string): void => void warnings.push(line);
  const { config, plugins } = await openSettings(variables, warn, failures);
  const unread: string[] = [];
  const definitions = await loadDefinitions(config, plugins, warn, { failures: unread });
  failures.push(...unread);
  // What refers to a definition that cannot be read would seem wrong.
  const linkAll = (loaded: typeof definitions): readonly string[] =>
    unread.length > 0 ? [] : attempt(() => linkDefinitions(loaded, plugins, undefined, warn));
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
  if (!hasCode(config.folders.contentTypes)) {
    failures.push(...linkAll(definitions));
    return {
      folder: config.folders.contentTypes,
      strapi: config.strapi,
      loaded: {},
      plugins: [],
      notes: linesOfUnset(config),
      unsupported: [],
      guards: [],
      warnings: [...warnings, ...findUnknownPlugins(config)],
      failures,
    };
  }
  // As at a start: what code opens in the background is in its folder, too.
  process.chdir(config.folders.contentTypes);
  const project = await openProject({ config, plugins, definitions, log, failures });
  try {
    // `register` would register custom fields, but does not run here.
    failures.push(...linkAll(project.definitions).filter((line) => !line.includes('.customField ')));
    // Routes to files that cannot be loaded lack their handlers.
    if (failures.length === 0) failures.push(...attempt(() => checkRoutes(project)));
    failures.push(...attempt(() => project.settings()));
    const report = describeProject(project, config, builtInPlugins);
    const guards = failures.length === 0 ? describeRestGuards(project) : [];
    const unsupported = [...report.unsupported];
    // Services are made without what `register` does.
    for (const line of attempt(() => unsupported.push(...describeRefusedGuards(project))))
      warn(`The services of users-permissions could not be made: ${line}`);
    return { ...report, unsupported, notes: [...linesOfUnset(config), ...report.notes], guards, warnings, failures };
  } finally {
    project.release();
  }
}

/**
 * The settings of a project and its plugins, without what only a start needs. If they cannot be read, what is wrong is
 * left out, so that the rest is reported, too: variables without a value get made-up ones.
 * @throws StartError if that does not help
 */
async function openSettings(
  variables: Environment,
  warn: (line: string) => void,
  failures: string[],
): Promise<{ readonly config: Config; readonly plugins: readonly BuiltInPlugin[] }> {
  /** @param mistakes receives what is wrong, in place of an error */
  const open = async (more: Environment, mistakes?: string[]) => {
    const lines: string[] = [];
    const config = await readConfig(
      { ...more, ...variables },
      {
        needs: (line) => void lines.push(`In production: ${line}`),
        mistakes: mistakes && ((line) => void mistakes.push(line)),
      },
    );
    const plugins = await enabledPlugins(config, (line) => void lines.push(line), mistakes);
    for (const line of lines) warn(line);
    return { config, plugins };
  };
  try {
    return await open({});
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    const environment = { ...readVariables(), ...variables };
    const contentTypes = findContentTypes(process.cwd(), environment['CONTENT_TYPES']);
    const unset = findUnsetVariables(contentTypes, environment).filter(
      ({ file, hasDefault }) => file.startsWith(`config${path.sep}`) && !hasDefault,
    );
    const missing = describeMissing(unset);
    if (missing === undefined) return open({}, failures);
    failures.push(error.message, missing);
    const invented = inventVariables(unset);
    setVariables(invented);
    // What else is wrong may be a made-up value.
    return open(invented, []);
  }
}

const linesOfUnset = (config: Config): readonly string[] => {
  const { missing, byDefault } = describeUnsetVariables(config);
  return [missing, byDefault].filter((line) => line !== undefined);
};

/** The folder of the definitions of a project: its `content-types`, or a Strapi project itself. */
function contentTypesOf(folder: string): string {
  const own = path.join(folder, 'content-types');
  return fs.existsSync(own) ? own : folder;
}

/** The lines of the error that work throws. */
function attempt(work: () => unknown): readonly string[] {
  try {
    work();
    return [];
  } catch (error) {
    return reasonOf(error).split('\n');
  }
}

/** What stops a start, then what does not run, and at the end what does. */
function print(report: Inspection, all: boolean): void {
  const { unsupported, install, notes, summary } = linesOf(report, { all });
  const { failures, folder, strapi } = report;
  if (strapi.name !== undefined) console.log(`A project of Strapi ${strapi.major} (${strapi.name})`);
  if (failures.length > 0) console.error(failures.join('\n'));
  if (!hasCode(folder)) {
    console.log(['The project has no code.', ...notes].join('\n'));
    return;
  }
  if (unsupported.length > 0) console.log(['Not supported:', ...unsupported].join('\n  '));
  if (install !== undefined) console.log(`Missing packages: ${install}`);
  console.log([...notes, summary].join('\n'));
  if (unsupported.length + failures.length === 0) console.log('Everything is supported.');
  else if (!all) console.log('--all lists each place.');
}
