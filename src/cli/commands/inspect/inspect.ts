import fs from 'node:fs';
import path from 'node:path';
import { builtInPlugins, enabledPlugins, linkDefinitions, loadDefinitions } from '../../../app/load-registry.js';
import { readConfig } from '../../../config/load-config.js';
import { reasonOf } from '../../../errors/reason-of.js';
import { openProject } from '../../../strapi/open-project.js';
import { hasCode } from '../../../strapi/project/find-files.js';
import { checkRoutes } from '../../../strapi/serve-project.js';
import {
  describeProject,
  describeRestGuards,
  formatReport,
  type ProjectReport,
} from '../../../strapi/project/report.js';
import { describeFailure } from '../../io/project.js';
import type { ExitCode } from '../../exit-codes.js';

/**
 * Files are loaded, and routes are put together; no `register` or `bootstrap` runs, and no database is opened. What cannot be loaded is
 * listed, and the rest is reported.
 */
export async function inspect(project: string | undefined, { json }: { readonly json: boolean }): Promise<ExitCode> {
  try {
    const report = await readReport(project);
    if (json) console.log(JSON.stringify(report ?? null, null, 2));
    else print(report);
    return (report?.unsupported.length ?? 0) + (report?.failures?.length ?? 0) > 0 ? 1 : 0;
  } catch (error) {
    if (json) console.log(JSON.stringify({ error: String(describeFailure(error)) }, null, 2));
    else console.error(describeFailure(error));
    return 1;
  }
}

/** Undefined without code. @throws StartError if it cannot be loaded */
async function readReport(folder: string | undefined): Promise<ProjectReport | undefined> {
  const variables = folder === undefined ? {} : { CONTENT_TYPES: contentTypesOf(path.resolve(folder)) };
  const config = await readConfig(variables);
  const warnings: string[] = [];
  const warn = (line: string): void => void warnings.push(line);
  const plugins = await enabledPlugins(config, warn);
  const definitions = await loadDefinitions(config, plugins, warn);
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
  if (!hasCode(config.folders.contentTypes)) return undefined;
  const failures: string[] = [];
  const project = await openProject({ config, plugins, definitions, log, failures });
  try {
    // `register` would register custom fields, but does not run here.
    const broken = attempt(() => linkDefinitions(project.definitions, plugins));
    failures.push(...broken.filter((line) => !line.includes('.customField ')));
    // Routes to files that cannot be loaded lack their handlers.
    if (failures.length === 0) failures.push(...attempt(() => checkRoutes(project)));
    const report = describeProject(project, config, builtInPlugins);
    const guards = failures.length === 0 ? describeRestGuards(project) : [];
    return { ...report, notes: [...report.notes, ...guards], warnings, failures };
  } finally {
    project.release();
  }
}

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

function print(report: ProjectReport | undefined): void {
  if (report === undefined) {
    console.log('The project has no code.');
    return;
  }
  const { summary, notes, unsupported } = formatReport(report);
  const { failures = [] } = report;
  if (failures.length > 0) console.error(failures.join('\n'));
  console.log([summary, ...notes].join('\n'));
  if (unsupported.length > 0) console.log(['Not supported:', ...unsupported].join('\n  '));
  else if (failures.length === 0) console.log('Everything is supported.');
}
