import type { Handle, RestContext } from './action.js';
import { createReadActions, type ReadAction } from './read-actions.js';
import { createScheduleActions, type ScheduleAction } from './schedule-actions.js';
import { createWriteActions, type WriteAction } from './write-actions.js';

export type RestAction = ReadAction | WriteAction | ScheduleAction;

/** The actions on content types. */
export const createController = (context: RestContext): Readonly<Record<RestAction, Handle>> => ({
  ...createReadActions(context),
  ...createWriteActions(context),
  ...createScheduleActions(context),
});
