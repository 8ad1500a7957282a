import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Images, SearchX } from 'lucide-react';
import { readFiles } from '../api/files.js';
import { useSession } from '../api/session.js';
import { SearchField } from '../list/search-field.js';
import { foldersIn, type LibraryState } from '../model/library/folders.js';
import type { Content } from '../model/schema.js';
import type { FileRecord } from '../model/values.js';
import { Empty, Loading, Unread } from '../shell/states.js';
import { useTexts } from '../language/language.js';
import { FolderWay } from './folder-way.js';
import { Thumbnail } from './thumbnail.js';
import type { Drag } from './use-drag.js';
import { useFolders } from './use-folders.js';

interface Props {
  readonly content: Content;
  readonly state: LibraryState;
  readonly onChange: (changes: Partial<LibraryState>) => void;
  /** Undefined: all. */
  readonly kinds: readonly string[] | undefined;
  readonly onChoose: (file: FileRecord) => void;
  /** Absent: nothing is moved here. */
  readonly drag?: Drag | undefined;
}

/** The library, or its files of some kinds, folder by folder, with a search in all folders. */
export function FileGrid({ content, state, onChange, kinds, onChoose, drag }: Props) {
  const texts = useTexts();
  const { api } = useSession();
  const { text, page, folder } = state;
  const isSearch = text !== '';
  const search = { text, kinds, page: page - 1, folder: content.folders.find && !isSearch ? folder : undefined };
  const { data, error } = useQuery({
    queryKey: ['files', search],
    queryFn: () => readFiles(api, search),
    placeholderData: keepPreviousData,
  });
  const folders = useFolders(content);
  const shown = folders === undefined || isSearch || page > 1 ? [] : foldersIn(folders, folder);
  const open = (id: number | null): void => onChange({ folder: id, text: '', page: 1 });
  const none = search.folder === undefined || kinds !== undefined ? texts.files.noMatch : texts.folders.isEmpty;
  return (
    <>
      <SearchField value={text} onChange={(next) => onChange({ text: next, page: 1 })} />
      {folders !== undefined && isSearch && <p className="hint">{texts.folders.inAll}</p>}
      {folders !== undefined && (folder !== null || isSearch) && (
        <FolderWay folders={folders} folder={folder} onOpen={open} drag={drag} />
      )}
      {error !== null && <Unread error={error} />}
      {data === undefined && error === null && <Loading />}
      {data?.files.length === 0 && shown.length === 0 && <Empty icon={isSearch ? SearchX : Images} title={none} />}
      <ul className="grid">
        {shown.map(({ id, name }) => (
          <li key={`folder ${id}`}>
            <button
              type="button"
              aria-label={texts.folders.folder(name)}
              onClick={() => open(id)}
              {...(content.folders.update && drag?.source({ folders: [id], files: [] }))}
              {...drag?.target(id)}
            >
              <FolderSign />
              <span>{name}</span>
            </button>
          </li>
        ))}
        {data?.files.map((file) => (
          <li key={file.id}>
            <button
              type="button"
              onClick={() => onChoose(file)}
              {...(content.files.upload && drag?.source({ folders: [], files: [file.id] }))}
            >
              <Thumbnail file={file} />
              <span>{file.name}</span>
            </button>
          </li>
        ))}
      </ul>
      {(page > 1 || data?.hasMore === true) && (
        <nav className="pages" aria-label={texts.files.pages}>
          <button type="button" disabled={page === 1} onClick={() => onChange({ page: page - 1 })}>
            {texts.common.previous}
          </button>
          <button type="button" disabled={data?.hasMore !== true} onClick={() => onChange({ page: page + 1 })}>
            {texts.common.next}
          </button>
        </nav>
      )}
    </>
  );
}

const FolderSign = () => (
  <span className="thumbnail" aria-hidden="true">
    <svg viewBox="0 0 24 20" width="48" height="40" fill="currentColor">
      <path d="M2 2a2 2 0 0 0-2 2v12a2 2 0 0 0 2 2h20a2 2 0 0 0 2-2V6a2 2 0 0 0-2-2H12L9.5 2z" />
    </svg>
  </span>
);
