import { changedAttributes } from '../../model/body.js';
import { componentOf, isParts, type Attribute, type Content, type Model } from '../../model/schema.js';
import type { Part, Value, Values } from '../../model/values.js';
import { decided, passagesOf, textOf, type ChangedBy, type Passage } from './passages.js';

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
  /** Of components that both changed, where nobody has added, removed or moved one. */
  readonly parts: readonly PartDifference[] | undefined;
}

/** What differs in a component. */
interface PartDifference {
  /** Its place among those of the attribute. */
  readonly at: number;
  readonly versions: Versions;
  readonly differences: readonly Difference[];
}

type Components = Pick<Content, 'components'>;

/** What differs between the form and what is stored now. */
export function differencesOf(
  components: Components,
  model: Model,
  { base, mine, theirs }: Versions,
): readonly Difference[] {
  const changed = (before: Values, after: Values): ReadonlySet<Attribute> =>
    new Set(changedAttributes(model, before, after));
  const [byMe, byThem] = [changed(base, mine), changed(base, theirs)];
  return [...changed(mine, theirs)].map((attribute) => {
    const by = byMe.has(attribute) ? (byThem.has(attribute) ? 'both' : 'me') : 'them';
    const { name } = attribute;
    const values = { base: base[name] ?? null, mine: mine[name] ?? null, theirs: theirs[name] ?? null };
    const isOfBoth = by === 'both';
    return {
      attribute,
      by,
      passages: isOfBoth ? passagesOf(attribute, values) : undefined,
      parts: isOfBoth ? partsOf(components, attribute, values) : undefined,
    };
  });
}

/** The components of three versions that have the same ones, in the same order; undefined: they have others. */
function partsOf(
  components: Components,
  attribute: Attribute,
  values: Readonly<Record<keyof Versions, Value>>,
): readonly PartDifference[] | undefined {
  if (!isParts(attribute)) return undefined;
  const [base, mine, theirs] = [values.base, values.mine, values.theirs].map(
    (value) => (value ?? []) as readonly Part[],
  );
  if (base === undefined || mine === undefined || theirs === undefined) return undefined;
  const isSame = (other: readonly Part[]): boolean =>
    other.length === base.length &&
    base.every(
      ({ id, component }, at) => id !== undefined && other[at]?.id === id && other[at].component === component,
    );
  if (!isSame(mine) || !isSame(theirs)) return undefined;
  const inside = base.map((part, at): PartDifference => {
    const versions = { base: part.values, mine: mine[at]?.values ?? {}, theirs: theirs[at]?.values ?? {} };
    const model = componentOf(components, part.component);
    return { at, versions, differences: differencesOf(components, model, versions) };
  });
  return inside.filter(({ differences }) => differences.length > 0);
}

/** A question to the user: which value to keep, or which passage of a text. */
export interface Decision {
  readonly key: string;
  readonly by: ChangedBy;
  readonly attribute: Attribute;
  /** The labels of the attributes that lead to it, the outermost first. */
  readonly labels: readonly string[];
  /** Which of several passages of a text it is. */
  readonly passage: { readonly number: number; readonly of: number } | undefined;
  readonly mine: Value;
  readonly theirs: Value;
}

/** What is decided alone. */
export const decisionsIn = (
  versions: Versions,
  differences: readonly Difference[],
  above: { readonly key: string; readonly labels: readonly string[] } = { key: '', labels: [] },
): readonly Decision[] =>
  differences.flatMap(({ attribute, by, passages, parts }) => {
    const { name, label } = attribute;
    const key = `${above.key}${name}`;
    const labels = [...above.labels, label];
    if (parts !== undefined) {
      const isList = isParts(attribute) && (attribute.multiple || attribute.type === 'dynamiczone');
      return parts.flatMap((part) =>
        decisionsIn(part.versions, part.differences, {
          key: partKey(key, part.at),
          labels: isList ? [...above.labels, `${label} ${part.at + 1}`] : labels,
        }),
      );
    }
    const common = { attribute, labels };
    if (passages === undefined) {
      const [mine, theirs] = [versions.mine[name] ?? null, versions.theirs[name] ?? null];
      return [{ ...common, key, by, passage: undefined, mine, theirs }];
    }
    const different = [...passages.entries()].filter(([, passage]) => passage.by !== undefined);
    return different.map(([at, passage], index) => ({
      ...common,
      key: passageKey(key, at),
      by: passage.by ?? by,
      passage: { number: index + 1, of: different.length },
      mine: textOf(attribute, passage.mine),
      theirs: textOf(attribute, passage.theirs),
    }));
  });

const passageKey = (key: string, at: number): string => `${key} ${at}`;
const partKey = (key: string, at: number): string => `${key} ${at} `;

/**
 * What is stored now, with what is kept of the form: values, and passages of texts.
 * @param kept the keys of decisions
 * @param above what keys of decisions begin with
 */
export function mergeDecided(
  { mine, theirs }: Versions,
  differences: readonly Difference[],
  kept: ReadonlySet<string>,
  above = '',
): Values {
  const byName = new Map(differences.map((difference) => [difference.attribute.name, difference]));
  return Object.fromEntries(
    Object.keys(theirs).map((name) => {
      const key = `${above}${name}`;
      const { attribute, passages, parts } = byName.get(name) ?? {};
      if (attribute !== undefined && passages !== undefined)
        return [name, decided(attribute, passages, (at) => kept.has(passageKey(key, at)))];
      if (parts === undefined) return [name, (kept.has(key) ? mine : theirs)[name] ?? null];
      const merged = new Map(
        parts.map(({ at, versions, differences: inner }) => [
          at,
          mergeDecided(versions, inner, kept, partKey(key, at)),
        ]),
      );
      const stored = theirs[name] as readonly Part[];
      return [name, stored.map((part, at) => ({ ...part, values: merged.get(at) ?? part.values }))];
    }),
  );
}

/** What is stored now, with the values of the form for the attributes in `kept`. */
export const merge = ({ mine, theirs }: Versions, kept: ReadonlySet<string>): Values =>
  Object.fromEntries(Object.keys(theirs).map((name) => [name, (kept.has(name) ? mine : theirs)[name] ?? null]));

/** What is stored now, with the values of the form for the attributes that were changed there. */
export function keepTyped(model: Model, versions: Versions): Values {
  const typed = changedAttributes(model, versions.base, versions.mine).map(({ name }) => name);
  return typed.length === 0 ? versions.theirs : merge(versions, new Set(typed));
}
