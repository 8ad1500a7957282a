import { isLocalized, sharedAttributes } from '../../content-types/localized.js';
import type { ContentType } from '../../content-types/types.js';
import type { ScalarValue } from '../../content-types/attribute-types.js';
import type { Change, DocumentHooks } from '../../documents/hooks.js';
import type { Documents } from '../../documents/documents.js';
import type { Entries } from '../../documents/entries.js';
import { AppError } from '../../errors/app-error.js';
import { id as idField, type Comparison } from '../../query/ast.js';
import type { StoredValue, Write } from '../../query/write.js';
import { readGroup } from './group.js';

interface FollowContext {
  readonly documents: Documents;
  readonly entries: Entries;
}

/** The values of a change that all localizations share. */
export const sharedValues = ({ type, values }: Change): ReadonlyMap<string, StoredValue | undefined> =>
  new Map(sharedAttributes(type).flatMap(({ name }) => (values.has(name) ? [[name, values.get(name)] as const] : [])));

/** The localizations that a new entry joins. */
export const joinedBy = ({ action, links }: Change): readonly number[] => {
  const joined = action === 'create' ? links.find(({ attribute }) => attribute.name === 'localizations') : undefined;
  return joined?.connect.map(({ id }) => id) ?? [];
};

/**
 * The writes on other localizations that go with a write: they learn of a new one, and get its shared values.
 * @throws AppError notFound; validation for a unique value that a localization cannot have
 */
export const followLocalized =
  (context: () => FollowContext): NonNullable<DocumentHooks['follow']> =>
  async (change) => {
    const { action, type, id } = change;
    if (action === 'delete' || !isLocalized(type)) return [];
    const shared = sharedValues(change);
    const joined = joinedBy(change);
    if (joined.length === 0 && (action === 'create' || shared.size === 0)) return [];
    const group = await readGroup(context().entries, type, joined[0] ?? id, []);
    const others = group.filter((member) => member.id !== id);
    await refuseTaken(context().documents, type, shared, others);
    const values = new Map([...shared, ['updatedAt', change.values.get('updatedAt')]]);
    const follow = others.map((other): Write => ({ kind: 'update', type, id: other.id, changes: changesOf(values) }));
    return joined.length === 0 ? follow : [...linksTo(change, joined), ...follow];
  };

function linksTo({ type, id: target, values }: Change, owners: readonly number[]): readonly Write[] {
  const attribute = type.attributes.get('localizations');
  const ranks = owners.map(() => String(values.get('locale')));
  return attribute?.kind === 'relation' ? [{ kind: 'link', type, attribute, owners, ranks, target, reserved: 0 }] : [];
}

const nothing = { paths: [], remove: [], add: [] };
const changesOf = (values: ReadonlyMap<string, StoredValue | undefined>) => ({
  values,
  merges: new Map(),
  links: [],
  references: nothing,
  uniqueKeys: nothing,
});

/** Before the first write is the time to refuse what a later one could not do. */
async function refuseTaken(
  documents: Documents,
  type: ContentType,
  shared: ReadonlyMap<string, StoredValue | undefined>,
  others: readonly { readonly id: number; readonly locale: string | null }[],
): Promise<void> {
  const locale = type.attributes.get('locale');
  if (locale?.kind !== 'scalar' || others.length === 0) return;
  const ids = others.map(({ id }) => id);
  const locales = others.flatMap((other) => other.locale ?? []);
  for (const field of sharedAttributes(type)) {
    const value = shared.get(field.name);
    if (!field.unique || value === undefined) continue;
    const conditions: readonly Comparison[] = [
      { kind: 'comparison', field, operator: '$eq', operands: [value as ScalarValue] },
      { kind: 'comparison', field: locale, operator: '$in', operands: locales },
      { kind: 'comparison', field: idField, operator: '$notIn', operands: ids },
    ];
    if ((await documents.count(type, { kind: 'and', filters: conditions })) === 0) continue;
    throw new AppError('validation', [{ path: [field.name], message: 'This attribute must be unique' }]);
  }
}
