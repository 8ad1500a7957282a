import lodash from 'lodash';
import { uids } from '../../../plugins/users-permissions/uids.js';
import type { Model, Named } from '../../strapi.js';
import type { Visitor } from './traverse-entity.js';

/** Takes the users of a role out of it. */
const removeUserRelationFromRoleEntities: Visitor = ({ schema, key, attribute }, { remove }) => {
  if (schema.uid === uids.role && attribute['type'] === 'relation' && attribute['target'] === uids.user) remove(key);
};

/** What users-permissions removes from entries of roles: the files of its folder `sanitize`. */
export function createRoleSanitizing({ traverseEntity }: Named): {
  readonly sanitizers: Named;
  readonly visitors: Named;
} {
  const clean = lodash.curry(
    (schema: Model, entity: unknown): unknown =>
      traverseEntity(removeUserRelationFromRoleEntities, { schema }, entity) as unknown,
    2,
  );
  return {
    sanitizers: { sanitizeUserRelationFromRoleEntities: clean, defaultSanitizeOutput: clean },
    visitors: { removeUserRelationFromRoleEntities },
  };
}
