import { useLocation } from 'wouter';
import { formAddress, type Entry } from '../api/entries.js';
import { useSession } from '../api/session.js';
import { DeletedEntry } from './deleted-entry.js';
import { DeletedList } from './deleted-list.js';
import { readTrash, type Deleted } from './deleted-entries.js';
import { useTexts } from '../language/language.js';
import { lastList } from '../list/last-list.js';
import type { Content, ContentType } from '../model/schema.js';
import { linkOf } from '../model/values.js';

interface Props {
  readonly content: Content;
  readonly type: ContentType;
}

/** What was deleted of a type. */
export function TrashPage({ content, type }: Props) {
  const texts = useTexts();
  const { api } = useSession();
  const [, navigate] = useLocation();
  const titleOf = (entry: Entry): string => linkOf(content, [type.uid], { ...entry }).title;
  const restored = type.draftAndPublish ? texts.trash.restoredAsDraft : texts.trash.restored;
  return (
    <DeletedList<Entry & Deleted>
      path={type.path}
      queryKey={['list', type.path]}
      list={{ name: type.listName, address: lastList(type) }}
      hint={type.trash === undefined ? undefined : texts.trash.hint(type.trash)}
      counted={texts.list.entries}
      table={texts.trash.table}
      column={texts.trash.entry}
      removed={texts.trash.removed}
      read={(page, text) => readTrash(api, type, page, text)}
      titleOf={titleOf}
      // The entry of a single type is created by whoever may update it.
      mayRestore={type.actions.includes(type.kind === 'singleType' ? 'update' : 'create')}
      restored={({ id }, lost) => ({
        kind: 'done',
        text: lost > 0 ? texts.trash.linksLost(lost) : restored,
        action: { label: texts.trash.open, run: () => navigate(formAddress(type, id)) },
      })}
      show={(entry, onClose, onRestore) => (
        <DeletedEntry {...{ content, type, onClose, onRestore }} id={entry.id} title={titleOf(entry)} />
      )}
    />
  );
}
