import lodash from 'lodash';
import type { ContentType } from '../../content-types/model/types.js';
import { system } from '../../documents/caller.js';
import type { DocumentAction } from '../../plugins/contract/code-form.js';
import { codeFormOf } from './code-form.js';
import type { Named, StrapiContext } from '../strapi.js';

/** The events of documents (recorded: code/57-events). */
const events = {
  create: 'entry.create',
  update: 'entry.update',
  publish: 'entry.publish',
  unpublish: 'entry.unpublish',
  discardDraft: 'entry.draft-discard',
  delete: 'entry.delete',
} as const;

interface WrittenDocument {
  readonly type: ContentType;
  readonly action: DocumentAction;
  readonly params: Named;
  /** What the call has answered. */
  readonly answer: unknown;
  /** Of an update: whether the document had the locale before. */
  readonly wasThere: boolean;
}

interface Message {
  readonly name: keyof typeof events;
  readonly status: 'draft' | 'published';
  readonly entry: Named;
  readonly locale: unknown;
}

/** What listeners of `strapi.eventHub` hear of the calls of `strapi.documents`. */
export interface Messages {
  readonly isHeard: () => boolean;
  /** Reads what is told of a call. @returns what tells it */
  readonly of: (written: WrittenDocument) => Promise<() => void>;
}

export function createMessages(context: StrapiContext): Messages {
  const { strapi } = context;
  const { eventHub } = strapi;
  const isHeard = (): boolean => Object.values(events).some((name) => eventHub.wants(name));
  /** With all that it is related to; what is gone is told as the call has answered it. */
  const entryOf = async (type: ContentType, { name, status, entry, locale }: Message): Promise<unknown> => {
    const { sanitize } = strapi['contentAPI'] as Named<Named<(...given: unknown[]) => Promise<unknown>>>;
    const params = { documentId: entry['documentId'] as unknown, locale, status, populate: '*' };
    const shown: unknown =
      name === 'delete' || name === 'unpublish'
        ? entry
        : await codeFormOf(context).documents.findOne({ type, params, caller: system });
    return sanitize?.['output']?.(lodash.omit(shown as Named, 'localizations'), strapi.contentType(type.uid));
  };
  return {
    isHeard,
    of: async (written) => {
      const { type } = written;
      const messages: (readonly [string, object])[] = [];
      for (const message of messagesOf(written))
        messages.push([
          events[message.name],
          { model: type.singularName, uid: type.uid, entry: await entryOf(type, message) },
        ]);
      return () => {
        for (const [name, body] of messages) eventHub.tell(name, body);
      };
    },
  };
}

function messagesOf(written: WrittenDocument): readonly Message[] {
  const { action, params, answer } = written;
  if (action === 'create' || action === 'update') return answer === null ? [] : ofWrite(written, answer as Named);
  const told = ofEntries[action];
  if (told === undefined) return [];
  const { entries } = answer as { readonly entries: readonly Named[] };
  return entries.map((entry) => ({ ...told, entry, locale: localeOf(entry, params) }));
}

/** The events of calls that answer with several entries. */
const ofEntries: Readonly<Partial<Record<DocumentAction, Pick<Message, 'name' | 'status'>>>> = {
  clone: { name: 'create', status: 'draft' },
  publish: { name: 'publish', status: 'published' },
  unpublish: { name: 'unpublish', status: 'published' },
  discardDraft: { name: 'discardDraft', status: 'draft' },
  delete: { name: 'delete', status: 'draft' },
};

const localeOf = (entry: Named, { locale }: Named): unknown => entry['locale'] ?? locale;

function ofWrite({ type, action, params, wasThere }: WrittenDocument, answer: Named): readonly Message[] {
  const written = { entry: answer, locale: localeOf(answer, params) };
  const name = action === 'update' && wasThere ? 'update' : 'create';
  const draft: Message = { name, status: 'draft', ...written };
  const isPublished = type.draftAndPublish && params['status'] === 'published';
  return isPublished ? [draft, { name: 'publish', status: 'published', ...written }] : [draft];
}
