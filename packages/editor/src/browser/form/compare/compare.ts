import { changedAttributes } from '../../model/body.js';
import type { Attribute, Model } from '../../model/schema.js';
import type { Values } from '../../model/values.js';
import { decided, passagesOf, type ChangedBy, type Passage } from './passages.js';

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
  readonly by: ChangedBy;
  /** Of a text that both changed in several places. */
  readonly passages: readonly Passage[] | undefined;
}

/** What differs between the form and what is stored now. */
export function differencesOf(model: Model, { base, mine, theirs }: Versions): readonly Difference[] {
  const changed = (before: Values, after: Values): ReadonlySet<Attribute> =>
    new Set(changedAttributes(model, before, after));
  const [byMe, byThem] = [changed(base, mine), changed(base, theirs)];
  return [...changed(mine, theirs)].map((attribute) => {
    const by = byMe.has(attribute) ? (byThem.has(attribute) ? 'both' : 'me') : 'them';
    const valuesOf = ({ name }: Attribute) => ({
      base: base[name] ?? null,
      mine: mine[name] ?? null,
      theirs: theirs[name] ?? null,
    });
    return { attribute, by, passages: by === 'both' ? passagesOf(attribute, valuesOf(attribute)) : undefined };
  });
}

/** What is decided about a difference: a value, or a passage of a text, by its place. */
export const keyOf = (name: string, at?: number): string => (at === undefined ? name : `${name} ${at}`);

/** What is decided alone, with who changed it. */
export const decisionsIn = (
  differences: readonly Difference[],
): readonly { readonly key: string; readonly by: ChangedBy }[] =>
  differences.flatMap(
    ({ attribute: { name }, by, passages }) =>
      passages?.flatMap((passage, at) =>
        passage.by === undefined ? [] : { key: keyOf(name, at), by: passage.by },
      ) ?? {
        key: name,
        by,
      },
  );

/**
 * What is stored now, with what is kept of the form: values, and passages of texts.
 * @param kept the keys of decisions
 */
export const mergeDecided = (
  versions: Versions,
  differences: readonly Difference[],
  kept: ReadonlySet<string>,
): Values => ({
  ...merge(versions, kept),
  ...Object.fromEntries(
    differences.flatMap(({ attribute, passages }) =>
      passages === undefined
        ? []
        : [[attribute.name, decided(attribute, passages, (at) => kept.has(keyOf(attribute.name, at)))]],
    ),
  ),
});

/** What is stored now, with the values of the form for the attributes in `kept`. */
export const merge = ({ mine, theirs }: Versions, kept: ReadonlySet<string>): Values =>
  Object.fromEntries(Object.keys(theirs).map((name) => [name, (kept.has(name) ? mine : theirs)[name] ?? null]));

/** What is stored now, with the values of the form for the attributes that were changed there. */
export function keepTyped(model: Model, versions: Versions): Values {
  const typed = changedAttributes(model, versions.base, versions.mine).map(({ name }) => name);
  return typed.length === 0 ? versions.theirs : merge(versions, new Set(typed));
}
