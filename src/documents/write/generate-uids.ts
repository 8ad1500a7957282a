import { randomBytes } from 'node:crypto';
import type { Data } from '../../config/record.js';
import type { ContentType, ScalarAttribute } from '../../content-types/model/types.js';
import { hasCode } from '../../errors/app-error.js';
import type { Store } from '../../mongo/store.js';
import { emptyQuery, type DocumentsContext } from '../context.js';
import { plainEntry } from '../../query/entry-presenter.js';

/** A `uid` attribute without a value in the data of a new entry, and the text from which its value is made. */
interface Missing {
  readonly field: ScalarAttribute;
  readonly source: string;
}

/** Longer strings are truncated if the attribute has no `maxLength`. */
const DEFAULT_LENGTH = 200;
const SUFFIXES = 50;
/**
 * The number of attempts with the smallest free number, which concurrent writers may take. After that the suffix is
 * random.
 */
const NUMBERED_ATTEMPTS = 3;
const MOST_ATTEMPTS = 6;

/**
 * Creates an entry and generates missing `uid` attributes from their `targetField`. The unique index decides between
 * concurrent writers: if another entry has it, the next one is tried.
 */
export async function withGeneratedUids<T>(
  { store }: Pick<DocumentsContext, 'store'>,
  type: ContentType,
  data: Data,
  create: (data: Data) => Promise<T>,
): Promise<T> {
  const missing = missingUids(type, data);
  if (missing.length === 0) return create(data);
  // Its table of characters takes longer to build than most other packages take to load.
  const { slugOf } = await import('../slug.js');
  for (let attempt = 1; ; attempt += 1) {
    const values: (readonly [string, string])[] = [];
    for (const { field, source } of missing) {
      // Strings without letters that slugs allow get the name of the type.
      const base = slugOf(source.slice(0, 2 * DEFAULT_LENGTH)) || type.singularName;
      values.push([field.name, await freeValue(store, type, field, base, attempt)]);
    }
    try {
      return await create({ ...data, ...Object.fromEntries(values) });
    } catch (error) {
      if (attempt === MOST_ATTEMPTS || !areTaken(error, missing)) throw error;
    }
  }
}

/** Whether values of new entries are numbered after those of others. */
export const generatesUids = ({ attributes }: ContentType): boolean =>
  [...attributes.values()].some((field) => field.kind === 'scalar' && field.generatedFrom !== undefined);

function missingUids({ attributes }: ContentType, data: Data): readonly Missing[] {
  return [...attributes.values()].flatMap((field) => {
    if (field.kind !== 'scalar' || field.generatedFrom === undefined) return [];
    const [value, source] = [data[field.name], data[field.generatedFrom]];
    if ((value !== undefined && value !== null) || typeof source !== 'string' || source === '') return [];
    return [{ field, source }];
  });
}

/** The first of `on-bread`, `on-bread-1`, `on-bread-2`, … that no entry has. */
async function freeValue(
  store: Store,
  type: ContentType,
  field: ScalarAttribute,
  base: string,
  attempt: number,
): Promise<string> {
  const withSuffix = (suffix: string): string =>
    `${base.slice(0, Math.max(0, (field.maxLength ?? DEFAULT_LENGTH) - suffix.length))}${suffix}`;
  const random = withSuffix(`-${randomBytes(4).toString('hex')}`);
  if (attempt > NUMBERED_ATTEMPTS) return random;
  const candidates = Array.from({ length: SUFFIXES }, (_, index) => withSuffix(index === 0 ? '' : `-${index}`));
  const { entries } = await store.find({
    ...emptyQuery(type),
    fields: [field],
    filter: { kind: 'comparison', field, operator: '$in', operands: candidates },
    pagination: { form: 'offset', start: 0, limit: SUFFIXES, withCount: false },
  });
  const usedValues = new Set(entries.map((entry) => (entry(plainEntry) as Data)[field.name]));
  return candidates.find((candidate) => !usedValues.has(candidate)) ?? random;
}

/** Whether the only problem is that other entries have these values. */
function areTaken(error: unknown, missing: readonly Missing[]): boolean {
  if (!hasCode(error, 'validation')) return false;
  const { issues } = error;
  const names = new Set(missing.map(({ field }) => field.name));
  const isOurs = (path: readonly string[]): boolean => path.length === 1 && names.has(path[0] ?? '');
  return issues.length > 0 && issues.every((issue) => issue.rule === 'unique' && isOurs(issue.path));
}
