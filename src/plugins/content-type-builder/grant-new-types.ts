import path from 'node:path';
import { isRecord } from '../../config/record.js';
import { filesBeside } from '../../content-types/load/read-beside.js';
import { isLocalized } from '../../content-types/model/localized.js';
import type { ContentType } from '../../content-types/model/types.js';
import { writeLike } from '../../content-types/write/write-like.js';
import type { Caller } from '../../documents/caller.js';
import { draftsAction } from '../../documents/hide-drafts.js';
import { coreRoutesOf } from '../contract/content-type-routes.js';
import type { ServiceSettings } from '../contract/plugin-context.js';
import { parseFile, readText, type Replacement } from './definition-files.js';

/**
 * `access.json` with the permissions for new content types, for the role of who defines them: otherwise nobody could see their entries.
 * Undefined if the file does not declare that role. @throws AppError badRequest if it is not JSON
 */
export async function grantNewTypes(
  { folders, drafts }: Pick<ServiceSettings, 'folders' | 'drafts'>,
  { credentials }: Caller,
  types: readonly ContentType[],
): Promise<Replacement | undefined> {
  const name = filesBeside.access;
  const before = await readText(path.join(folders.contentTypes, name));
  const role = isRecord(credentials?.['role']) ? String(credentials['role']['type']) : '';
  if (before === undefined || types.length === 0) return undefined;
  const access = parseFile(before, name);
  const roles = isRecord(access['roles']) ? access['roles'] : {};
  const declared = Object.hasOwn(roles, role) ? roles[role] : undefined;
  if (!isRecord(declared) || !Array.isArray(declared['permissions'])) return undefined;
  const former: readonly unknown[] = declared['permissions'];
  const permissions = [...new Set([...former, ...types.flatMap((type) => actionsOn(type, drafts))])];
  const after = writeLike(before, { ...access, roles: { ...roles, [role]: { ...declared, permissions } } });
  return { name, before, after };
}

const actionsOn = (type: ContentType, drafts: ServiceSettings['drafts']): readonly string[] => [
  ...new Set(coreRoutesOf(type.kind).map(({ action }) => `${type.uid}.${action}`)),
  ...(isLocalized(type) ? [`${type.uid}.createLocalization`] : []),
  ...(type.draftAndPublish && drafts === 'restricted' ? [draftsAction(type)] : []),
];
