import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Entry } from '../api/entries.js';
import { useSession } from '../api/session.js';
import { useTexts } from '../language/language.js';
import { RelativeTime } from '../language/relative-time.js';
import { mayPublish, type Content, type ContentType } from '../model/schema.js';
import { linkOf } from '../model/values.js';
import { useNotice } from '../shell/notices.js';
import { RecentEntries, type Recent } from './recent-entries.js';
import type { Desk } from './use-recent.js';

type Row<R> = Recent & { readonly row: R };

interface Props {
  readonly content: Content;
  readonly waiting: readonly Row<Desk['waiting'][number]>[];
  readonly back: readonly Row<Desk['back'][number]>[];
  readonly published: readonly Row<Desk['published'][number]>[];
}

const rowOf = <R,>(rows: readonly Row<R>[], { type, entry }: Recent): R | undefined =>
  rows.find((one) => one.entry === entry && one.type === type)?.row;

/** What the user is asked to publish, what came back, and what was published lately. */
export function ReviewLists({ content, waiting, back, published }: Props) {
  const all = useTexts();
  const texts = all.review;
  const nameOf = (name: string | null): string => name ?? all.presence.somebody;
  const said = (by: string, at: string, note: string | null) => (
    <>
      {by} · <RelativeTime value={at} />
      {note !== null && (
        <>
          {': '}
          <q>{note}</q>
        </>
      )}
    </>
  );
  return (
    <>
      <RecentEntries
        content={content}
        title={texts.waiting}
        kind="review"
        entries={waiting}
        aboutOf={(recent) => {
          const row = rowOf(waiting, recent);
          return (
            row && {
              text: said(texts.asksFor(nameOf(row.by)), row.at, row.note),
              action: row.changed && <p className="hint">{texts.changed}</p>,
            }
          );
        }}
      />
      <RecentEntries
        content={content}
        title={texts.back}
        kind="review"
        entries={back}
        aboutOf={(recent) => {
          const row = rowOf(back, recent);
          return row && { text: said(nameOf(row.by), row.at, row.note) };
        }}
      />
      <RecentEntries
        content={content}
        title={texts.published}
        kind="review"
        entries={published}
        aboutOf={(recent) => {
          const row = rowOf(published, recent);
          return (
            row && {
              text: said(texts.publishedBy(nameOf(row.by)), row.at, row.changes ? texts.changes : null),
              // What was published before is among the versions.
              action: !row.changes && mayPublish(recent.type, false) && <Unpublish content={content} {...recent} />,
            }
          );
        }}
      />
    </>
  );
}

interface UnpublishProps {
  readonly content: Content;
  readonly type: ContentType;
  readonly entry: Entry;
}

/** Makes a draft again of what was published. */
function Unpublish({ content, type, entry }: UnpublishProps) {
  const texts = useTexts();
  const { api } = useSession();
  const queries = useQueryClient();
  const show = useNotice();
  const { title } = linkOf(content, [type.uid], { ...entry });
  const { mutate, isPending } = useMutation({
    mutationFn: async () => {
      const operations = [{ update: type.path, id: entry.id, data: { publishedAt: null } }];
      return type.kind === 'singleType'
        ? api.send('PUT', type.path, {
            query: type.localized ? { locale: entry.attributes['locale'] } : {},
            body: { data: { publishedAt: null } },
          })
        : api.send('POST', 'batch', { body: { operations } });
    },
    onSuccess: () => show({ kind: 'done', text: texts.publication.undone.unpublish }),
    onError: (error) => show({ kind: 'failed', error }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['list'] }),
  });
  return (
    <button type="button" aria-label={texts.review.unpublish(title)} disabled={isPending} onClick={() => mutate()}>
      {texts.inputs.undo}
    </button>
  );
}
