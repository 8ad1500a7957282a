import path from 'node:path';
import { enabledPlugins, linkDefinitions, loadDefinitions } from '../../../app/load-registry.js';
import { readConfig } from '../../../config/read-config.js';
import { StartError } from '../../../errors/start-error.js';
import { openProject } from '../../../strapi/open-project.js';
import { hasCode } from '../../../strapi/project/has-code.js';
import { checkRoutes } from '../../../strapi/serve-project.js';
import {
  describeProject,
  describeRestGuards,
  formatReport,
  type ProjectReport,
} from '../../../strapi/project/report.js';
import { describeFailure } from '../../io/project.js';

/** 0 all of it runs, 1 something is not supported or cannot be loaded. */
export type InspectExit = 0 | 1;

/**
 * Reports which code of a project runs: `npx content-service inspect <project>`. Files are loaded, and routes are put
 * together; no
 * `register` or `bootstrap` runs, and no database is opened.
 */
export async function inspect(project: string | undefined, { json }: { readonly json: boolean }): Promise<InspectExit> {
  try {
    const report = await readReport(project);
    if (json) console.log(JSON.stringify(report ?? null, null, 2));
    else print(report);
    return (report?.unsupported.length ?? 0) > 0 ? 1 : 0;
  } catch (error) {
    if (json) console.log(JSON.stringify({ error: String(describeFailure(error)) }, null, 2));
    else console.error(describeFailure(error));
    return 1;
  }
}

/** Undefined without code. @throws StartError if it cannot be loaded */
async function readReport(folder: string | undefined): Promise<ProjectReport | undefined> {
  const variables = folder === undefined ? {} : { CONTENT_TYPES: path.resolve(folder) };
  const config = await readConfig(variables);
  const warnings: string[] = [];
  const warn = (line: string): void => void warnings.push(line);
  const plugins = await enabledPlugins(config, warn);
  const definitions = await loadDefinitions(config, plugins, warn);
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
  if (!hasCode(config.folders.contentTypes)) return undefined;
  const project = await openProject({ config, plugins, definitions, log });
  try {
    checkDefinitions(() => linkDefinitions(project.definitions, plugins));
    checkRoutes(project);
    const report = describeProject(project, config);
    return { ...report, notes: [...report.notes, ...describeRestGuards(project)], warnings };
  } finally {
    project.release();
  }
}

/** `register` would register custom fields, but does not run here. @throws StartError for all other errors */
function checkDefinitions(link: () => unknown): void {
  try {
    link();
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    const lines = error.message.split('\n').filter((line) => !line.includes('.customField '));
    if (lines.length > 0) throw new StartError(lines.join('\n'));
  }
}

function print(report: ProjectReport | undefined): void {
  if (report === undefined) {
    console.log('The project has no code.');
    return;
  }
  const { summary, notes, unsupported } = formatReport(report);
  console.log([summary, ...notes].join('\n'));
  console.log(unsupported.length === 0 ? 'Everything is supported.' : ['Not supported:', ...unsupported].join('\n  '));
}
