import type { ContentType } from '../content-types/model/types.js';
import type { Caller } from './caller.js';

/** The action for reading the drafts of a content type, if drafts are restricted. */
export const draftsAction = ({ uid }: ContentType): string => `${uid}.find.drafts`;

/** A caller that has all permissions but those for the drafts that this one may not see. */
export const withoutDrafts = ({ kind, may }: Caller): Caller => ({
  kind,
  may: (action) => !action.endsWith('.find.drafts') || may(action),
});

/** The actions that restricted drafts add. */
export const listDraftsActions = (types: Iterable<ContentType>): readonly string[] =>
  [...types].filter((type) => type.draftAndPublish && type.uid.startsWith('api::')).map(draftsAction);

/** Whether the drafts of this content type are hidden from the caller, if drafts are restricted. */
export const hidesDrafts = (type: ContentType, caller: Caller): boolean =>
  type.draftAndPublish && !caller.may(draftsAction(type));

const modes = {
  open: 'shown to everyone who may read the content type (DRAFTS=open)',
  restricted: 'shown only with the permission <uid>.find.drafts, and by preview links (DRAFTS=restricted)',
} as const;

/** A description of the callers that see drafts. */
export const describeDrafts = (mode: keyof typeof modes): string => modes[mode];
