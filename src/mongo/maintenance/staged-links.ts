import { groupBy } from '../../config/group-by.js';
import type { Db } from 'mongodb';
import { systemCommandOptions } from '../read/time-limits.js';
import { translated } from '../errors.js';

/** A link that will be written into its owner. */
export interface StagedLink {
  /** The owning entry or component, e.g. `api::article.article:12`. */
  readonly owner: string;
  readonly field: string;
  /** Its position among the owner's links of the field. */
  readonly place: number;
  /** The uid of the target's type. */
  readonly type: string;
  readonly id: number;
  /** Its position in the order of the other side; 0 if that has no order. */
  readonly rank: number;
}

interface Row extends StagedLink {
  readonly _id: number;
}

const NAME = '_import_links';

/** The owner of links: an entry or a component. */
export const ownerKey = (type: string, id: number): string => `${type}:${id}`;

/** The uid of the type of an owner. */
export const typeOfOwner = (owner: string): string => owner.slice(0, owner.lastIndexOf(':'));

/** Starts from scratch: removes the leftovers of an interrupted import. */
export async function openStagedLinks(db: Db) {
  const collection = db.collection<Row>(NAME);
  await translated(() => collection.drop(systemCommandOptions));
  const unread = new Map<string, number>();
  const count = ({ owner, field }: StagedLink, by: number): void => {
    const kind = `${typeOfOwner(owner)} ${field}`;
    unread.set(kind, (unread.get(kind) ?? 0) + by);
  };
  let rows = 0;
  let indexed = false;
  return {
    add: async (links: readonly StagedLink[]): Promise<void> => {
      if (links.length === 0) return;
      for (const link of links) count(link, 1);
      await translated(() =>
        collection.insertMany(
          links.map((link) => ({ _id: rows++, ...link })),
          systemCommandOptions,
        ),
      );
    },
    /** The links of these owners, by owner and in order. No links are added after the first call. */
    of: (owners: readonly string[]): Promise<ReadonlyMap<string, readonly StagedLink[]>> =>
      translated(async () => {
        if (!indexed) await collection.createIndex({ owner: 1 });
        indexed = true;
        const stored = await collection.find({ owner: { $in: [...owners] } }, systemCommandOptions).toArray();
        for (const row of stored) count(row, -1);
        return groupBy(
          stored.toSorted((a, b) => a.place - b.place || a._id - b._id),
          ({ owner }) => owner,
        );
      }),
    /** Drops the staged links; returns those that were never read, by the owner's type and the field. */
    close: async () => {
      await translated(() => collection.drop(systemCommandOptions));
      return [...unread].flatMap(([kind, count]) => {
        const [type = '', field = ''] = kind.split(' ');
        return count > 0 ? [{ type, field, count }] : [];
      });
    },
  };
}

/** Links that are read separately from their owners, staged in the database so that memory use stays constant. */
export type StagedLinks = Awaited<ReturnType<typeof openStagedLinks>>;
