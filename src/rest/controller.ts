import type { ContentTypeRouteName } from '../plugins/contract/content-type-routes.js';
import type { Handle, RestContext } from './action.js';
import { createReadActions } from './read-actions.js';
import { createScheduleActions } from './schedule-actions.js';
import { createWriteActions } from './write-actions.js';

/** The actions on content types. */
export const createController = (context: RestContext): Readonly<Record<ContentTypeRouteName, Handle>> => ({
  ...createReadActions(context),
  ...createWriteActions(context),
  ...createScheduleActions(context),
});
