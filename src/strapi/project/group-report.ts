import lodash from 'lodash';
import { groupBy } from '../../config/group-by.js';
import { formatPlace } from '../../config/project/locate-setting.js';
import type { StrapiLog } from '../strapi.js';
import type { ProjectReport, Unsupported } from './report.js';

/** Places of one kind that a line names; more are counted. */
const PLACES = 3;

/** A report as lines: what does not work comes first. */
export interface ReportLines {
  readonly unsupported: readonly string[];
  /** One command for all packages that are missing. */
  readonly install: string | undefined;
  readonly notes: readonly string[];
  readonly summary: string;
}

/**
 * The lines of a report: a line for each kind of what is not supported or has no effect, with its first places.
 * @param all a line for each place in place of that
 */
export function linesOf(report: ProjectReport, { all }: { readonly all: boolean }): ReportLines {
  const { unsupported, notes, guards = [], warnings = [] } = report;
  const packages = [...new Set(unsupported.flatMap(({ install }) => install ?? []))];
  const lines = all ? unsupported.map(lineOf) : groupUnsupported(unsupported);
  return {
    unsupported: lines,
    install: packages.length === 0 ? undefined : `npm install ${packages.join(' ')}`,
    notes: all
      ? [...guards.map(({ line }) => line), ...warnings, ...notes]
      : [...groupGuards(guards), ...groupNotes([...warnings, ...notes])],
    summary: summaryOf(report),
  };
}

const lineOf = ({ what, consequence, install: _install, ...position }: Unsupported): string =>
  `${formatPlace(position)}: ${what}: ${consequence}`;

function groupUnsupported(unsupported: readonly Unsupported[]): readonly string[] {
  const [imports, others] = lodash.partition(unsupported, ({ what }) => what.startsWith('the package '));
  const kinds = [...groupBy(others, ({ what, consequence }) => `${what}: ${consequence}`)].map(
    ([kind, places]) => `${placesOf(places)}: ${kind}`,
  );
  if (imports.length < 2) return [...kinds, ...imports.map(lineOf)];
  const names = imports.map(
    ({ what, ...position }) => `${what.slice('the package '.length)} (${formatPlace(position)})`,
  );
  return [...kinds, `${imports.length} packages that the code imports are not installed: ${names.join(', ')}`];
}

function placesOf(places: readonly Unsupported[]): string {
  const named = places.slice(0, PLACES).map((place) => formatPlace(place));
  return named.join(', ') + (places.length > PLACES ? ` and ${places.length - PLACES} more places` : '');
}

/** The actions of a content type whose guards GraphQL does not run. */
const groupGuards = (guards: NonNullable<ProjectReport['guards']>): readonly string[] =>
  [...groupBy(guards, ({ action }) => action.slice(0, action.lastIndexOf('.')))].map(([owner, list]) => {
    const { size } = new Set(list.map(({ action }) => action));
    const name = owner.slice(owner.lastIndexOf('.') + 1);
    return `${size} ${size === 1 ? 'action' : 'actions'} of ${name}: GraphQL does not run their controllers, policies and middlewares, as in Strapi v4, unless resolversConfig adds policies`;
  });

const noEffect = /^(?:\S+: )?(\S+(?: of \S+)?) has no effect/;
const notRun = /^(\S+) does not run: (.*)$/s;

/** Settings and files without effect are one line, and so are those that do not run. */
function groupNotes(notes: readonly string[]): readonly string[] {
  const [without, others] = lodash.partition(notes, (note) => noEffect.test(note));
  const [idle, rest] = lodash.partition(others, (note) => notRun.test(note));
  const names = without.map((note) => noEffect.exec(note)?.[1] ?? note);
  const reasons = groupBy(idle, (note) => notRun.exec(note)?.[2] ?? note);
  return [
    ...rest,
    ...[...reasons].map(([reason, list]) =>
      list.length === 1 ? String(list[0]) : `${list.length} files do not run: ${reason}`,
    ),
    ...(without.length < 2 ? without : [`${without.length} settings and files have no effect: ${names.join(', ')}`]),
  ];
}

function summaryOf({ loaded, plugins }: ProjectReport): string {
  const counts = Object.entries(loaded).map(([kind, count]) => `${kind} ${count}`);
  const parts = [...counts, ...(plugins.length > 0 ? [`plugins ${plugins.join(', ')}`] : [])];
  return `Code of the project: ${parts.join(', ') || 'none'}`;
}

/** Logs the report at a start. */
export function logReport(report: ProjectReport, log: StrapiLog): void {
  const { summary, notes, unsupported, install } = linesOf(report, { all: true });
  log.info(summary);
  for (const line of notes) log.info(line);
  for (const line of unsupported) log.warn(`Not supported: ${line}`);
  if (install !== undefined) log.warn(`Missing packages: ${install}`);
}
