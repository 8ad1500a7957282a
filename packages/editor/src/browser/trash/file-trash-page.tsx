import { useSession } from '../api/session.js';
import { Thumbnail } from '../files/thumbnail.js';
import { useTexts } from '../language/language.js';
import type { Content } from '../model/schema.js';
import { DeletedFile } from './deleted-file.js';
import { FILES, readFileTrash } from './deleted-files.js';
import { DeletedList } from './deleted-list.js';

/** The deleted files of the library. */
export function FileTrashPage({ content }: { readonly content: Content }) {
  const texts = useTexts();
  const { api } = useSession();
  const { trash, upload } = content.files;
  return (
    <DeletedList
      path={FILES}
      queryKey={['files']}
      list={{ name: texts.shell.files, address: '/files' }}
      hint={trash === undefined ? undefined : texts.fileTrash.hint(trash)}
      counted={texts.files.count}
      table={texts.fileTrash.table}
      column={texts.files.file}
      removed={texts.fileTrash.removed}
      read={(page, text) => readFileTrash(api, page, text)}
      titleOf={({ name }) => name}
      picture={(file) => <Thumbnail file={file} />}
      mayRestore={upload}
      restored={(_, lost) => ({
        kind: 'done',
        text: lost > 0 ? texts.fileTrash.linksLost(lost) : texts.fileTrash.restored,
      })}
      show={(file, onClose, onRestore) => <DeletedFile {...{ file, onClose, onRestore }} />}
    />
  );
}
