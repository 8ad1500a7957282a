import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Folder, Images, SearchX } from 'lucide-react';
import { useEffect, useRef, type ReactNode } from 'react';
import { readFiles } from '../api/files.js';
import { useSession } from '../api/session.js';
import { foldersIn } from '../model/library/folders.js';
import { isOfAllFolders, pagesOf, type LibraryState } from '../model/library/library-state.js';
import { dimensionsOf, sizeOf } from '../model/library/size-of.js';
import type { Content } from '../model/schema.js';
import { isUndescribed, type FileRecord } from '../model/values.js';
import { Empty, Loading, Unread } from '../shell/states.js';
import { useTexts } from '../language/language.js';
import { timeOf } from '../language/time-of.js';
import { useSource, useTarget, type Drag } from './folders/drag.js';
import { FilePages } from './file-pages.js';
import { FolderWay } from './folders/folder-way.js';
import { Thumbnail } from './thumbnail.js';
import { useFolders } from './folders/use-folders.js';
import type { Several } from './several/use-several.js';

interface Props {
  readonly content: Content;
  readonly state: LibraryState;
  readonly onChange: (changes: Partial<LibraryState>) => void;
  /** Each file in a row, with more about it. */
  readonly asList?: boolean;
  /** Undefined: all. */
  readonly kinds: readonly string[] | undefined;
  /** `at` is its place on the page. */
  readonly onChoose: (file: FileRecord, at: number) => void;
  /** Absent: nothing is moved here. */
  readonly drag?: Drag | undefined;
  /** Absent: files are not selected here. */
  readonly several?: Pick<Several, 'ids' | 'known' | 'onToggle' | 'onToggleAll'> | undefined;
  /** What is below. */
  readonly children?: ((shown: ShownFiles) => ReactNode) | undefined;
}

/** The files of a page. */
export interface ShownFiles {
  readonly files: readonly FileRecord[];
  readonly selected: readonly FileRecord[];
  /** Undefined: it is not known. */
  readonly total: number | undefined;
  /** Reads those of all pages. */
  readonly readAll: () => Promise<readonly FileRecord[]>;
  readonly hasNext: boolean;
  /** They are of the page before until those of this one are there. */
  readonly isCurrent: boolean;
}

/** How many files the API reads at once. */
const MOST_AT_ONCE = 100;

/** The library, or its files of some kinds, folder by folder; with a search those of all folders. */
export function FileGrid(props: Props) {
  const { content, state, onChange, asList = false, kinds, onChoose, drag, several, children } = props;
  const texts = useTexts();
  const { api } = useSession();
  const { text, page, pageSize, folder, order, worklist } = state;
  const isSearch = isOfAllFolders(state);
  const search = {
    text,
    kinds,
    worklist,
    order,
    page,
    pageSize,
    folder: content.folders.find && !isSearch ? folder : undefined,
  };
  const { data, error, isPlaceholderData } = useQuery({
    queryKey: ['files', search],
    queryFn: () => readFiles(api, search),
    placeholderData: keepPreviousData,
  });
  const folders = useFolders(content);
  const shown = folders === undefined || isSearch || page > 1 ? [] : foldersIn(folders, folder);
  const open = (id: number | null): void => onChange({ folder: id, text: '', worklist: '', page: 1 });
  const isUnknown = worklist === 'unused' && data !== undefined && data.total === undefined;
  const files = data === undefined || isUnknown ? [] : data.files;
  const total = isUnknown ? undefined : data?.total;
  const hasNext = data?.hasNext === true && !isUnknown;
  const ids = files.map(({ id }) => id);
  // What others deleted is not selected any more.
  const chosen = new Set(several?.ids);
  const elsewhere = (several?.known ?? []).filter(({ id }) => !ids.includes(id));
  const selected = [...files, ...elsewhere].filter(({ id }) => chosen.has(id));
  const isPageSelected = files.every(({ id }) => chosen.has(id));
  const readAll = async (): Promise<readonly FileRecord[]> => {
    const all: FileRecord[] = [];
    for (let at = 1; ; at += 1) {
      const read = await readFiles(api, { ...search, page: at, pageSize: MOST_AT_ONCE });
      all.push(...read.files);
      if (!read.hasNext) return all;
    }
  };
  const all = search.folder === undefined ? texts.files.none : texts.folders.isEmpty;
  const none = isSearch || kinds !== undefined ? texts.files.noMatch : all;
  const isPastEnd = !isPlaceholderData && page > 1 && files.length === 0 && total !== undefined;
  useEffect(() => {
    // The files of the last page were deleted or moved.
    if (isPastEnd) onChange({ page: pagesOf(total, pageSize) });
  });
  return (
    <>
      {folders !== undefined && isSearch && <p className="hint">{texts.folders.inAll}</p>}
      {folders !== undefined && (folder !== null || isSearch) && (
        <FolderWay folders={folders} folder={folder} onOpen={open} drag={drag} />
      )}
      {error !== null && <Unread error={error} />}
      {data === undefined && error === null && <Loading />}
      {data !== undefined && files.length === 0 && shown.length === 0 && (
        <Empty icon={isSearch ? SearchX : Images} title={isUnknown ? texts.files.cannotTellUnused : none} />
      )}
      {total !== undefined && total > 0 && (
        <p className="hint count" role="status">
          {texts.files.count(total)}
        </p>
      )}
      {several !== undefined && files.length > 0 && (
        <label className="check">
          <input type="checkbox" checked={isPageSelected} onChange={() => several.onToggleAll(ids)} />
          {texts.list.selectAll}
        </label>
      )}
      <ul className={asList ? 'grid rows' : 'grid'}>
        {shown.map(({ id, name }) => (
          <li key={`folder ${id}`}>
            <FolderTile id={id} name={name} mayMove={content.folders.update} drag={drag} onOpen={() => open(id)} />
          </li>
        ))}
        {files.map((file, at) => (
          <li key={file.id}>
            {several !== undefined && (
              <label className="pick">
                <input
                  type="checkbox"
                  aria-label={texts.list.select(file.name)}
                  checked={selected.includes(file)}
                  onChange={({ nativeEvent }) =>
                    several.onToggle(ids, file.id, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)
                  }
                />
              </label>
            )}
            <FileTile
              file={file}
              asList={asList}
              drag={content.files.upload ? drag : undefined}
              onChoose={() => onChoose(file, at)}
            />
          </li>
        ))}
      </ul>
      <FilePages state={state} total={total} hasNext={hasNext} onChange={onChange} />
      {children?.({ files, selected, total, readAll, hasNext, isCurrent: !isPlaceholderData })}
    </>
  );
}

interface FolderProps {
  readonly id: number;
  readonly name: string;
  readonly mayMove: boolean;
  readonly drag: Drag | undefined;
  readonly onOpen: () => void;
}

function FolderTile({ id, name, mayMove, drag, onOpen }: FolderProps) {
  const texts = useTexts().folders;
  const source = useSource(mayMove ? drag : undefined, { folders: [id], files: [] });
  const target = useTarget(drag, id, useRef<HTMLButtonElement>(null));
  return (
    <button type="button" aria-label={texts.folder(name)} onClick={onOpen} {...source} {...target}>
      <span className="thumbnail" aria-hidden="true">
        <Folder size={56} strokeWidth={1.25} />
      </span>
      <span>{name}</span>
    </button>
  );
}

interface FileProps {
  readonly file: FileRecord;
  readonly asList: boolean;
  readonly drag: Drag | undefined;
  readonly onChoose: () => void;
}

function FileTile({ file, asList, drag, onChoose }: FileProps) {
  const texts = useTexts();
  const source = useSource(drag, { folders: [], files: [file.id] });
  return (
    <button type="button" onClick={onChoose} {...source}>
      <Thumbnail file={file} isLarge={!asList} />
      <span>{file.name}</span>
      {asList && <span className="hint">{isUndescribed(file) && texts.files.undescribed}</span>}
      {asList && <span className="hint">{dimensionsOf(file)}</span>}
      <span className="hint">{sizeOf(texts, file)}</span>
      {asList && <span className="hint">{timeOf(texts, file.createdAt)}</span>}
    </button>
  );
}
