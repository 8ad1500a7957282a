import { nearestName } from '../../../content-types/model/nearest-name.js';
import { isUnexpected } from '../../../mongo/maintenance/unfit/find-unfit.js';
import type { Declared } from './parse-declared.js';
import type { Findings } from './plan.js';

/**
 * A line for each former name in `migrations.json` that seems to be misspelt: entries have values under a name like it, which is
 * neither declared there nor an attribute.
 */
export function findMisnamed({ attributes }: Declared, unfit: ReturnType<Findings['list']>): readonly string[] {
  const [before = '', after = ''] = isUnexpected('\n').split('\n');
  const left = unfit.flatMap(({ subject, text }) => {
    if (!text.endsWith(after)) return [];
    const name = text.slice(before.length, -after.length);
    const dot = name.lastIndexOf('.');
    // Of a component its uid stands before the name.
    return [{ uid: dot < 0 ? subject : name.slice(0, dot), name: name.slice(dot + 1) }];
  });
  return [...attributes].flatMap(([uid, names]) =>
    [...names.keys()].flatMap((former) => {
      const nearest = nearestName(
        former,
        left.filter((entry) => entry.uid === uid).map(({ name }) => name),
      );
      return nearest === undefined
        ? []
        : [`migrations.json: attributes.${uid}.${former}: no entry has this name; did you mean "${nearest}"?`];
    }),
  );
}
