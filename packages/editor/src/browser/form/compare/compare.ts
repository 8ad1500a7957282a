import { changedAttributes } from '../../model/body.js';
import type { Attribute, Model } from '../../model/schema.js';
import type { Values } from '../../model/values.js';

/** The versions of an entry that two people changed. */
export interface Versions {
  /** As it was when the form was opened. */
  readonly base: Values;
  readonly mine: Values;
  readonly theirs: Values;
}

/** An attribute with different values in the form and in the store. */
export interface Difference {
  readonly attribute: Attribute;
  /** Who changed it: the form alone, the other alone, or both. */
  readonly by: 'me' | 'them' | 'both';
}

/** What differs between the form and what is stored now. */
export function differencesOf(model: Model, { base, mine, theirs }: Versions): readonly Difference[] {
  const changed = (before: Values, after: Values): ReadonlySet<Attribute> =>
    new Set(changedAttributes(model, before, after));
  const [byMe, byThem] = [changed(base, mine), changed(base, theirs)];
  return [...changed(mine, theirs)].map((attribute) => ({
    attribute,
    by: byMe.has(attribute) ? (byThem.has(attribute) ? 'both' : 'me') : 'them',
  }));
}

/** What is stored now, with the values of the form for the attributes in `kept`. */
export const merge = ({ mine, theirs }: Versions, kept: ReadonlySet<string>): Values =>
  Object.fromEntries(Object.keys(theirs).map((name) => [name, (kept.has(name) ? mine : theirs)[name] ?? null]));

/** What is stored now, with the values of the form for the attributes that were changed there. */
export function keepTyped(model: Model, versions: Versions): Values {
  const typed = changedAttributes(model, versions.base, versions.mine).map(({ name }) => name);
  return typed.length === 0 ? versions.theirs : merge(versions, new Set(typed));
}
