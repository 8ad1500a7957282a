import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { readFiles } from '../api/files.js';
import { useSession } from '../api/session.js';
import { SearchField } from '../list/search-field.js';
import type { FileRecord } from '../model/values.js';
import { Failure } from '../shell/notices.js';
import { useTexts } from '../language/language.js';
import { Thumbnail } from './thumbnail.js';

/** The library, or its files of some kinds, with a search. */
export function FileGrid({
  kinds,
  onChoose,
}: {
  readonly kinds: readonly string[] | undefined;
  readonly onChoose: (file: FileRecord) => void;
}) {
  const texts = useTexts();
  const { api } = useSession();
  const [text, setText] = useState('');
  const [page, setPage] = useState(0);
  const search = { text, kinds, page };
  const { data, error } = useQuery({
    queryKey: ['files', search],
    queryFn: () => readFiles(api, search),
    placeholderData: keepPreviousData,
  });
  return (
    <>
      <SearchField
        value={text}
        onChange={(next) => {
          setPage(0);
          setText(next);
        }}
      />
      {error !== null && <Failure error={error} />}
      {data?.files.length === 0 && <p className="empty">{texts.files.noMatch}</p>}
      <ul className="grid">
        {data?.files.map((file) => (
          <li key={file.id}>
            <button type="button" onClick={() => onChoose(file)}>
              <Thumbnail file={file} />
              <span>{file.name}</span>
            </button>
          </li>
        ))}
      </ul>
      {(page > 0 || data?.hasMore === true) && (
        <nav className="pages" aria-label={texts.files.pages}>
          <button type="button" disabled={page === 0} onClick={() => setPage(page - 1)}>
            {texts.common.previous}
          </button>
          <button type="button" disabled={data?.hasMore !== true} onClick={() => setPage(page + 1)}>
            {texts.common.next}
          </button>
        </nav>
      )}
    </>
  );
}
