import type { Attributes } from '../../../content-types/model/types.js';
import type { Issue } from '../../../errors/codes.js';

/**
 * Strapi v4's order of issues: that of the definition, and what concerns the whole data comes last. Its validator looks
 * for names anywhere in a path, so those of `rating` and `ratingCount` have one place, where the last one of the
 * definition comes first.
 */
export function orderOfIssues(attributes: Attributes): (issue: Issue, other: Issue) => number {
  const names = [...attributes.keys()];
  const placeOf = ({ path }: Issue): number => {
    const text = path.join('.');
    const place = names.findIndex((name) => text.includes(name));
    return place === -1 ? names.length : place;
  };
  const nameOf = ({ path: [name = ''] }: Issue): number => names.indexOf(name);
  return (issue, other) => placeOf(issue) - placeOf(other) || nameOf(other) - nameOf(issue);
}
