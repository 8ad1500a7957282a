import type { Data } from '../../../config/record.js';
import { system, type Caller } from '../../../documents/caller.js';
import type { EntryRequest } from '../../../documents/context.js';
import type { Entry } from '../../../documents/entries.js';
import { plainEntry } from '../../../query/entry-presenter.js';
import { readableFields } from '../../../query/parse/parse-fields.js';
import { parseSelection } from '../../../query/parse/parse-query.js';
import type { Services } from '../context.js';
import { uids } from '../uids.js';

/** A user as clients see them: nothing private. */
export function publicUser({ userType }: Services, user: Entry): Data {
  const fields = readableFields(userType.attributes, 'client').map(({ name }) => [name, user[name]] as const);
  return { id: user.id, ...Object.fromEntries(fields) };
}

/** What is answered to a write of a user: with the role, if the caller may see roles. The write itself is ours. */
export function queryAfterWrite({ context, userType }: Services, caller: Caller): EntryRequest {
  const populate = caller.may(`${uids.role}.find`) ? ['role'] : [];
  return {
    caller: system,
    presenter: plainEntry,
    selection: parseSelection({ populate }, userType, 'client', context.limits),
  };
}

/** What is answered to a deletion: all that is public, nothing that it leads to. */
export const queryAfterDelete = ({ context, userType }: Services): EntryRequest => ({
  caller: system,
  presenter: plainEntry,
  selection: parseSelection({}, userType, 'client', context.limits),
});

/** What a log-in is answered with. */
export interface LogIn {
  readonly jwt: string;
  readonly user: Data;
}

export const logInAs = (services: Services, user: Entry): LogIn => ({
  jwt: services.tokens.issue(user),
  user: publicUser(services, user),
});
