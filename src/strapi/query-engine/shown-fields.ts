import type { Attributes, ScalarAttribute } from '../../content-types/model/types.js';
import { ownAttributes } from '../../plugins/users-permissions/uids.js';
import { readableFields } from '../../query/parse/parse-fields.js';

const hidden = new Set<string>(ownAttributes);

/** All attributes except internal ones of users. */
export const shownFields = (attributes: Attributes): readonly ScalarAttribute[] =>
  readableFields(attributes, 'code').filter(({ name, private: isPrivate }) => !(isPrivate && hidden.has(name)));
