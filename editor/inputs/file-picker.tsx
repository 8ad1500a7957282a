import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useSession } from '../api/session.js';
import { useForm } from '../form/form-context.js';
import { SearchField } from '../list/search-field.js';
import { filterOfKinds } from '../model/file-kinds.js';
import type { MediaAttribute } from '../model/schema.js';
import { FILE, linkOf, type FileRecord, type Link } from '../model/values.js';
import { Dialog } from '../shell/dialog.js';
import { messageOf } from '../shell/notices.js';

const PAGE_SIZE = 24;

/** The files of the library that an attribute accepts, the newest first. */
export function FilePicker(props: {
  readonly attribute: MediaAttribute;
  readonly onClose: () => void;
  readonly onChoose: (link: Link) => void;
}) {
  const { content } = useForm();
  const { api } = useSession();
  const [text, setText] = useState('');
  const [page, setPage] = useState(0);
  const conditions = [
    ...(text === '' ? [] : [{ name: { $containsi: text } }]),
    ...filterOfKinds(props.attribute.kinds),
  ];
  const query = {
    sort: 'id:desc',
    start: page * PAGE_SIZE,
    // One more shows whether there is another page.
    limit: PAGE_SIZE + 1,
    ...(conditions.length > 0 && { filters: { $and: conditions } }),
  };
  const { data, error } = useQuery({
    queryKey: ['files', query],
    queryFn: async () => (await api.get('upload/files', query)).body as readonly Readonly<Record<string, unknown>>[],
  });
  const files = (data ?? []).slice(0, PAGE_SIZE).map((file) => linkOf(content, [FILE], file));
  return (
    <Dialog title="Choose a file" onClose={props.onClose} wide>
      <SearchField
        value={text}
        onChange={(next) => {
          setPage(0);
          setText(next);
        }}
      />
      {error !== null && (
        <p role="alert" className="issue">
          {messageOf(error)}
        </p>
      )}
      {data?.length === 0 && <p className="empty">No file matches.</p>}
      <ul className="grid">
        {files.map((link) => (
          <li key={link.id}>
            <button type="button" onClick={() => props.onChoose(link)}>
              <Thumbnail file={link.file} />
              <span>{link.title}</span>
            </button>
          </li>
        ))}
      </ul>
      <nav className="pages" aria-label="Pages of files">
        <button type="button" disabled={page === 0} onClick={() => setPage(page - 1)}>
          Previous
        </button>
        <button type="button" disabled={(data?.length ?? 0) <= PAGE_SIZE} onClick={() => setPage(page + 1)}>
          Next
        </button>
      </nav>
    </Dialog>
  );
}

/** An image in full, not cropped; the kind of other files. */
export function Thumbnail({ file }: { readonly file: FileRecord | undefined }) {
  if (file === undefined || !file.mime.startsWith('image/'))
    return <span className="thumbnail">{file?.mime.split('/').pop() ?? 'file'}</span>;
  return (
    <img
      className="thumbnail"
      src={file.formats?.['thumbnail']?.url ?? file.url}
      alt={file.alternativeText ?? ''}
      loading="lazy"
    />
  );
}
