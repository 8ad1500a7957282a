import { variables } from '../config/variables.js';
import { distance } from '../content-types/model/nearest-name.js';

/** Letters that may differ, and the share of a name that they may be: names of projects' own variables are not to be doubted. */
const MAX_LETTERS = 3;
const SHARE = 1 / 4;

/** A line for each name of the file `.env` that is none of a setting, and nearly is. */
export function misspeltSettings(names: readonly string[]): readonly string[] {
  const known = Object.keys(variables);
  return names.flatMap((name) => {
    const limit = Math.min(MAX_LETTERS, Math.floor(name.length * SHARE));
    const meant = known.includes(name) ? undefined : known.find((setting) => distance(name, setting) <= limit);
    return meant === undefined ? [] : [`.env sets ${name}, which is no setting of the service; did you mean ${meant}?`];
  });
}
