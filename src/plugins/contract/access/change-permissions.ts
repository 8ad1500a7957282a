import path from 'node:path';
import lodash from 'lodash';
import { isRecord } from '../../../config/record.js';
import { filesBeside, foldersWith } from '../../../content-types/load/read-beside.js';
import { isLocalized } from '../../../content-types/model/localized.js';
import type { ContentType } from '../../../content-types/model/types.js';
import { parseFile, readText, type Replacement } from '../../../content-types/write/definition-files.js';
import { writeLike } from '../../../content-types/write/write-like.js';
import { draftsAction } from '../../../documents/hide-drafts.js';
import { coreRoutesOf } from '../content-type-routes.js';
import type { ServiceSettings } from '../plugin-context.js';

/**
 * `access.json` with the permissions for new content types, for a role, which is that of who defines them, otherwise
 * nobody could see their entries; and without those for deleted ones, with which the service could not start. None if
 * that changes nothing, or if the file does not exist.
 * @param removed the uids of the deleted ones
 * @throws AppError badRequest if it is not JSON
 */
export async function changePermissions(
  { folders, drafts }: Pick<ServiceSettings, 'folders' | 'drafts'>,
  role: string | undefined,
  added: readonly ContentType[],
  removed: ReadonlySet<string>,
): Promise<readonly Replacement[]> {
  const [folder = folders.contentTypes] = foldersWith(folders, 'access');
  const name = path.join(path.relative(folders.contentTypes, folder), filesBeside.access);
  const before = await readText(path.join(folders.contentTypes, name));
  if (before === undefined || added.length + removed.size === 0) return [];
  const access = parseFile(before, name);
  const granted = added.flatMap((type) => actionsOn(type, drafts));
  const isKept = (permission: unknown): boolean => {
    const action = String(isRecord(permission) ? permission['action'] : permission);
    return ![...removed].some((uid) => action.startsWith(`${uid}.`));
  };
  const changed = lodash.mapValues(access, (holders, part) => {
    if (!isRecord(holders) || (part !== 'roles' && part !== 'tokens')) return holders;
    return lodash.mapValues(holders, (declared, holder) => {
      if (!isRecord(declared) || !Array.isArray(declared['permissions'])) return declared;
      const former: readonly unknown[] = declared['permissions'];
      const isReceiver = part === 'roles' && holder === role;
      const missing = isReceiver ? granted.filter((action) => !former.includes(action)) : [];
      return { ...declared, permissions: [...former.filter(isKept), ...missing] };
    });
  });
  const after = writeLike(before, changed);
  return after === before ? [] : [{ name, before, after }];
}

const actionsOn = (type: ContentType, drafts: ServiceSettings['drafts']): readonly string[] => [
  ...new Set(coreRoutesOf(type.kind).map(({ action }) => `${type.uid}.${action}`)),
  ...(isLocalized(type) ? [`${type.uid}.createLocalization`] : []),
  ...(type.draftAndPublish && drafts === 'restricted' ? [draftsAction(type)] : []),
];
