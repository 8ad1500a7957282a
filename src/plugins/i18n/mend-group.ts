import { isDeepStrictEqual } from 'node:util';
import { isLocalized, sharedAttributes } from '../../content-types/localized.js';
import type { Data } from '../../documents/context.js';
import type { Documents } from '../../documents/documents.js';
import type { Entries } from '../../documents/entries.js';
import type { DocumentHooks } from '../../documents/hooks.js';
import { bare } from '../../documents/shapes.js';
import { hasCode } from '../../errors/app-error.js';
import { joinedBy, sharedValues } from './follow.js';
import { readGroup, type Member } from './group.js';
import { mender } from './prepare.js';

interface MendContext {
  readonly documents: Documents;
  readonly entries: Entries;
}

/** What must be written to an entry so that its group is right again. */
interface Mend {
  readonly id: number;
  readonly data: Data;
}

/**
 * Looks at a group once more after a write that concerned all of it. Two writes at the same moment may each have
 * missed what the other did; whichever looks last sees both and mends the group.
 */
export const mendGroup =
  (context: () => MendContext): NonNullable<DocumentHooks['after']> =>
  async (change) => {
    const { action, type, id } = change;
    if (action === 'delete' || !isLocalized(type)) return;
    if (joinedBy(change).length === 0 && (action === 'create' || sharedValues(change).size === 0)) return;
    const { documents, entries } = context();
    const names = sharedAttributes(type).map(({ name }) => name);
    try {
      const group = await readGroup(entries, type, id, [...names, 'updatedAt']);
      for (const { id: wrong, data } of findMends(group, names)) {
        await documents.update(type, wrong, data, {
          caller: mender,
          shape: bare,
          selection: { fields: [], populate: [] },
        });
      }
    } catch (error) {
      // Another write took an entry away or is mending as well: it looks at what is left.
      if (!hasCode(error, 'notFound', 'validation')) throw error;
    }
  };

/** Members that do not know each other learn it; of shared values that differ, the latest are good for all. */
export function findMends(group: readonly Member[], shared: readonly string[]): readonly Mend[] {
  const all = new Map(
    group.flatMap(({ id, locale, others }) => [{ id, locale }, ...others]).map((one) => [one.id, one]),
  );
  const links = [...all.keys()].flatMap((id): readonly Mend[] => {
    const known = new Set(group.find((member) => member.id === id)?.others.map((other) => other.id));
    const connect = [...all.values()].filter((other) => other.id !== id && !known.has(other.id));
    return connect.length === 0 ? [] : [{ id, data: { localizations: { connect } } }];
  });
  const [latest, ...others] = group.toSorted((a, b) => timeOf(b) - timeOf(a) || b.id - a.id);
  const values = (member: Member): Data => Object.fromEntries(shared.map((name) => [name, member[name]]));
  const differs = latest !== undefined && others.some((other) => !isDeepStrictEqual(values(other), values(latest)));
  return differs ? [...links, { id: latest.id, data: values(latest) }] : links;
}

const timeOf = ({ updatedAt }: Member): number => new Date(updatedAt as string | Date).getTime();
