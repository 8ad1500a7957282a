import type { ContentType } from '../../content-types/model/types.js';
import type { EventAction } from '../../mongo/events/stored-events.js';

type Names = Partial<Readonly<Record<EventAction, readonly string[]>>>;

const entryEvents: Required<Names> = {
  create: ['entry.create'],
  update: ['entry.update'],
  delete: ['entry.delete'],
};

const none: Names = {};

/** As recorded: writes of Strapi's plugins that bypass the entity service have no event, or a special one. */
const exceptions: Readonly<Record<string, Names>> = {
  'plugin::upload.file': {
    create: ['media.create'],
    update: ['entry.update', 'media.update'],
    delete: ['media.delete'],
  },
  'plugin::users-permissions.user': { ...entryEvents, delete: [] },
  'plugin::users-permissions.role': none,
  'plugin::users-permissions.permission': none,
  'plugin::i18n.locale': none,
};

/** The names of the events that a write of the API has in Strapi v4. */
export const eventNames = ({ uid }: Pick<ContentType, 'uid'>, action: EventAction): readonly string[] =>
  (exceptions[uid] ?? entryEvents)[action] ?? [];

/** Whether writes of this type are recorded. Internal records are not, because they contain keys and permissions. */
export const isRecorded = ({ uid }: Pick<ContentType, 'uid'>): boolean =>
  !uid.startsWith('admin::') && exceptions[uid] !== none;

/** The attributes of a type in events, whatever the response shows; other types appear as in the response. */
export const shownInEvents: Readonly<Record<string, { readonly populate: readonly string[] }>> = {
  'plugin::upload.file': { populate: [] },
  'plugin::users-permissions.user': { populate: ['role'] },
};
