import { formatPlace } from '../../config/project/locate-setting.js';
import { findVariables, type ReadVariable } from '../../config/project/find-variables.js';
import { isStrapiProject } from '../../config/project/is-strapi-project.js';
import { currentVariable } from '../../config/project/variables.js';
import type { Config } from '../../config/config.js';
import { variables as settings } from '../../config/variables.js';
import { settingsForStrapi } from './find-files.js';
import { sourcesOf } from './sources.js';

/** A variable that the code of a project reads, and where it does so first. */
export interface UnsetVariable extends ReadVariable {
  readonly file: string;
}

/**
 * Lines about the variables that a Strapi v4 project reads by name and that have no value here: Strapi had them,
 * perhaps from its process.
 * @returns those without a default in the code, and those whose defaults apply; undefined if there are none
 */
export function describeUnsetVariables({ folders, variables }: Pick<Config, 'folders' | 'variables'>) {
  const unset = findUnsetVariables(folders.contentTypes, variables);
  const byDefault = unset.filter(({ hasDefault }) => hasDefault);
  return {
    missing: describeMissing(unset.filter(({ hasDefault }) => !hasDefault)),
    byDefault:
      byDefault.length === 0
        ? undefined
        : `Variables of the project without a value, so that its defaults apply: ${listOf(byDefault)}`,
  };
}

/** A line about variables without a value and without a default. */
export const describeMissing = (missing: readonly UnsetVariable[]): string | undefined =>
  missing.length === 0 ? undefined : `Variables of the project without a value: ${listOf(missing)}`;

const listOf = (unset: readonly UnsetVariable[]): string =>
  unset.map(({ name, file, line }) => `${name} (${formatPlace({ file, line })})`).join(', ');

/** Each once, those of `config` first, and where it has no default if there is such a place. */
export function findUnsetVariables(folder: string, variables: Config['variables']): readonly UnsetVariable[] {
  if (!isStrapiProject(folder)) return [];
  const sources = sourcesOf(folder).filter(({ file }) => !settingsForStrapi.test(file));
  const unset = new Map<string, UnsetVariable>();
  for (const { file, content } of sources.toSorted((source, other) => (source.file < other.file ? -1 : 1))) {
    for (const variable of findVariables(content)) {
      if (hasValue(variable.name, variables)) continue;
      const known = unset.get(variable.name);
      if (known === undefined || (known.hasDefault && !variable.hasDefault)) {
        unset.set(variable.name, { ...variable, file });
      }
    }
  }
  return [...unset.values()];
}

/**
 * Settings of the service with a default always have a value, and the process has those of its system and those that
 * code has loaded.
 */
const hasValue = (name: string, variables: Config['variables']): boolean =>
  (currentVariable(name) ?? variables[name]) !== undefined ||
  (Object.hasOwn(settings, name) && 'default' in settings[name as keyof typeof settings]);
