import { diffArrays } from 'diff';
import { toText } from '../../model/scalars.js';
import { isScalar, type Attribute, type ScalarAttribute } from '../../model/schema.js';
import type { Value } from '../../model/values.js';

/** Who changed something: the form alone, the other alone, or both. */
export type ChangedBy = 'me' | 'them' | 'both';

/** Paragraphs that two versions of a text have, or that differ, so that one of them is chosen. */
export interface Passage {
  readonly mine: readonly string[];
  readonly theirs: readonly string[];
  /** Undefined: they are the same. */
  readonly by: ChangedBy | undefined;
}

/** What ends a paragraph, by the types of texts that have paragraphs. */
const ends: Readonly<Record<string, { readonly between: RegExp; readonly end: string }>> = {
  text: { between: /(?<=\n)(?=[^\n])/, end: '\n' },
  richtext: { between: /(?<=\n\n)(?=[^\n])/, end: '\n\n' },
};

const hasParagraphs = (attribute: Attribute): attribute is ScalarAttribute =>
  isScalar(attribute) && (attribute.type in ends || attribute.type === 'blocks');

/** The paragraphs of a text, or its blocks as JSON; undefined where it has none. */
function paragraphsOf({ type }: ScalarAttribute, value: Value): readonly string[] | undefined {
  if (value === null || value === '') return [];
  if (typeof value !== 'string') return undefined;
  const { between } = ends[type] ?? {};
  if (between !== undefined) return value.split(between);
  try {
    const blocks: unknown = JSON.parse(value);
    return Array.isArray(blocks) ? blocks.map((block) => JSON.stringify(block)) : undefined;
  } catch {
    return undefined;
  }
}

const isSame = (one: string, other: string): boolean => one.trimEnd() === other.trimEnd();

/**
 * The passages of a text that two people have changed, if they differ in several places, so that each can be decided
 * alone; undefined otherwise.
 */
export function passagesOf(
  attribute: Attribute,
  values: Readonly<Record<'base' | 'mine' | 'theirs', Value>>,
): readonly Passage[] | undefined {
  if (!hasParagraphs(attribute)) return undefined;
  const base = paragraphsOf(attribute, values.base);
  const mine = paragraphsOf(attribute, values.mine);
  const theirs = paragraphsOf(attribute, values.theirs);
  if (base === undefined || mine === undefined || theirs === undefined) return undefined;
  const wasThere = (paragraph: string): boolean => base.some((one) => isSame(one, paragraph));
  const passages: Passage[] = [];
  for (const { added, removed, value } of diffArrays([...mine], [...theirs], { comparator: isSame })) {
    const last = passages.at(-1);
    if (!added && !removed) passages.push({ mine: value, theirs: value, by: undefined });
    else {
      // What goes and what comes in its place are one passage.
      const former = last?.by === undefined ? { mine: [], theirs: [] } : passages.pop();
      const own = removed ? value : (former?.mine ?? []);
      const other = added ? value : (former?.theirs ?? []);
      passages.push({ mine: own, theirs: other, by: changedBy(own, other, wasThere) });
    }
  }
  return passages.filter(({ by }) => by !== undefined).length > 1 ? passages : undefined;
}

/** A paragraph that was not there before is of who has it; one that was, and is missing, was taken out. */
function changedBy(
  mine: readonly string[],
  theirs: readonly string[],
  wasThere: (paragraph: string) => boolean,
): ChangedBy {
  const byMe = mine.some((one) => !wasThere(one)) || theirs.some(wasThere);
  const byThem = theirs.some((one) => !wasThere(one)) || mine.some(wasThere);
  return byMe && byThem ? 'both' : byMe ? 'me' : 'them';
}

/** Paragraphs as a value of the attribute. */
export function textOf(attribute: Attribute, paragraphs: readonly string[]): string {
  if (!hasParagraphs(attribute)) return '';
  const { end } = ends[attribute.type] ?? {};
  if (end === undefined)
    return paragraphs.length === 0
      ? ''
      : toText(
          attribute,
          paragraphs.map((block) => JSON.parse(block) as unknown),
        );
  const isWhole = (paragraph: string, index: number): boolean =>
    index === paragraphs.length - 1 || paragraph.endsWith(end);
  const whole = paragraphs.map((one, index) => (isWhole(one, index) ? one : `${one.trimEnd()}${end}`));
  return whole.join('').trimEnd();
}

/** The text with one version of each passage. @param isMine for a passage by its place */
export const decided = (attribute: Attribute, passages: readonly Passage[], isMine: (at: number) => boolean): string =>
  textOf(
    attribute,
    passages.flatMap(({ mine, theirs }, at) => (isMine(at) ? mine : theirs)),
  );
