import type { Named, StrapiLog } from '../strapi.js';

/** Types of Strapi's admin panel that have no entries here. */
const panelTypes = ['role', 'permission', 'api-token', 'api-token-permission', 'transfer-token'];

export const isPanelType = (uid: string): boolean => panelTypes.some((name) => uid === `admin::${name}`);

/** Reads of `strapi.db.query` that find nothing. */
export const emptyReads = (): Named => ({
  findOne: async () => null,
  findMany: async () => [],
  findWithCount: async () => [[], 0],
  findPage: async ({ page = 1, pageSize = 10 }: Named = {}) => ({
    results: [],
    pagination: { page: Number(page), pageSize: Number(pageSize), pageCount: 0, total: 0 },
  }),
  count: async () => 0,
});

/** Writes of `strapi.db.query` to types of the admin panel, which is not there: a warning, and no effect. */
export function ignoredWrites(uid: string, log: StrapiLog): Named {
  const ignore =
    (method: string, result: (params: Named) => unknown) =>
    async (params: Named = {}): Promise<unknown> => {
      log.warn(`strapi.db.query('${uid}').${method} has no effect: Strapi's admin panel is not there`);
      return result(params);
    };
  const none = (): unknown => null;
  const noneOfMany = (): Named => ({ count: 0 });
  return {
    create: ignore('create', ({ data }) => ({ ...data })),
    update: ignore('update', none),
    delete: ignore('delete', none),
    createMany: ignore('createMany', noneOfMany),
    updateMany: ignore('updateMany', noneOfMany),
    deleteMany: ignore('deleteMany', noneOfMany),
  };
}
