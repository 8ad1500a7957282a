import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { createEntry, publicationOf } from '../../api/write-entry.js';
import { formAddress, localeOf, type Entry } from '../../api/entries.js';
import { useSession } from '../../api/session.js';
import { useTexts } from '../../language/language.js';
import { timeOf } from '../../language/time-of.js';
import { creationOf } from '../../model/body.js';
import { withoutIds } from '../../model/copy.js';
import type { Content, ContentType } from '../../model/schema.js';
import type { Values } from '../../model/values.js';
import { useNotice } from '../../shell/notices.js';
import { readDeletion, restoreDeleted } from '../../trash/deleted-entries.js';

interface Props {
  readonly content: Content;
  readonly type: ContentType;
  /** As it was before. */
  readonly entry: Entry;
  readonly query: object;
  /** The values in the form. */
  readonly values: Values;
  readonly isDirty: boolean;
  /** The entry is there again. */
  readonly onRestored: () => void;
  /** What is typed is stored in another entry. */
  readonly onKept: () => void;
}

/** In the form of an entry that somebody has deleted: who it was, and what can be done with what is typed. */
export function Deleted({ content, type, entry, query, values, isDirty, onRestored, onKept }: Props) {
  const all = useTexts();
  const texts = all.presence;
  const { api } = useSession();
  const queries = useQueryClient();
  const show = useNotice();
  const [, navigate] = useLocation();
  const { data: deletion } = useQuery({
    queryKey: ['list', type.path, 'trash', 'entry', entry.id],
    enabled: type.trash !== undefined && type.actions.includes('delete'),
    queryFn: () => readDeletion(api, type, entry.id),
    retry: false,
  });
  const refresh = (): Promise<void> => queries.invalidateQueries({ queryKey: ['list', type.path] });
  const onError = (error: unknown): void => show({ kind: 'failed', error });
  const restore = useMutation({
    mutationFn: () => restoreDeleted(api, type.path, entry.id),
    onSuccess: async (lost) => {
      show({ kind: 'done', text: lost > 0 ? all.trash.linksLost(lost) : all.trash.restored });
      onRestored();
      await refresh();
    },
    onError,
  });
  const keep = useMutation({
    mutationFn: () =>
      createEntry(
        api,
        { type, query, locale: localeOf(entry), source: undefined },
        { ...creationOf(content, type, withoutIds(values)), ...publicationOf(type, undefined, true) },
      ),
    onSuccess: async (created) => {
      onKept();
      show({ kind: 'done', text: all.common.saved });
      navigate(formAddress(type, created?.id));
      await refresh();
    },
    onError,
  });
  const isBusy = restore.isPending || keep.isPending;
  const mayCreate = type.kind === 'collectionType' && type.actions.includes('create');
  const mayRestore = type.kind === 'collectionType' ? mayCreate : type.actions.includes('update');
  return (
    <div className="notice" role="alert">
      <p>
        {deletion === undefined
          ? all.refusals.notFound
          : texts.deleted(deletion.by ?? texts.somebody, timeOf(all, deletion.at))}
      </p>
      <div className="actions">
        {deletion !== undefined && mayRestore && (
          <button type="button" disabled={isBusy} onClick={() => restore.mutate()}>
            {texts.restore}
          </button>
        )}
        {isDirty && mayCreate && (
          <button type="button" disabled={isBusy} onClick={() => keep.mutate()}>
            {texts.saveAsNew}
          </button>
        )}
      </div>
    </div>
  );
}
