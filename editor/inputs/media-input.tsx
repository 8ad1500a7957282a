import { useMutation } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useSession } from '../api/session.js';
import { useForm } from '../form/form-context.js';
import { labelOf, type MediaAttribute } from '../model/schema.js';
import { FILE, linkOf, type Link, type Links } from '../model/values.js';
import { messageOf } from '../shell/notices.js';
import { acceptOf } from '../model/file-kinds.js';
import { FilePicker, Thumbnail } from './file-picker.js';
import { moved, OrderButtons } from './order-buttons.js';

interface Props {
  readonly attribute: MediaAttribute;
  readonly value: Links;
  readonly onChange: (value: Links) => void;
}

/** Files of an entry: uploaded here, or chosen from the library. */
export function MediaInput({ attribute, value, onChange }: Props) {
  const { content } = useForm();
  const { api } = useSession();
  const [isPicking, setPicking] = useState(false);
  const id = useId();
  const { items } = value;
  const set = (next: readonly Link[]): void => onChange({ ...value, items: next });
  const add = (links: readonly Link[]): void => {
    const added = links.filter((link) => !items.some((other) => other.id === link.id));
    set(attribute.multiple ? [...items, ...added] : links.slice(0, 1));
  };
  const upload = useMutation({
    mutationFn: async (files: readonly File[]) => {
      const form = new FormData();
      for (const file of files) form.append('files', file);
      const { body } = await api.send('POST', 'upload', { body: form });
      return (body as readonly Readonly<Record<string, unknown>>[]).map((file) => linkOf(content, [FILE], file));
    },
    onSuccess: add,
  });
  const label = labelOf(attribute.name);
  return (
    <>
      <ol className="files">
        {items.map((link, index) => (
          <li key={link.id} className="row">
            <Thumbnail file={link.file} />
            <span className="grow">{link.title}</span>
            <OrderButtons
              label={link.title}
              index={index}
              count={items.length}
              onMove={(to) => set(moved(items, index, to))}
              onRemove={() => set(items.toSpliced(index, 1))}
            />
          </li>
        ))}
      </ol>
      <div className="row">
        {content.files.upload && (
          <>
            <label className="button" htmlFor={id}>
              {upload.isPending ? 'Uploading…' : `Upload ${label}`}
            </label>
            <input
              id={id}
              className="hidden"
              type="file"
              multiple={attribute.multiple}
              accept={acceptOf(attribute.kinds)}
              disabled={upload.isPending}
              onChange={(event) => {
                const files = [...(event.target.files ?? [])];
                if (files.length > 0) upload.mutate(files);
                event.target.value = '';
              }}
            />
          </>
        )}
        {content.files.find && (
          <button type="button" onClick={() => setPicking(true)}>
            Choose from the library
          </button>
        )}
      </div>
      {upload.error !== null && (
        <p role="alert" className="issue">
          {messageOf(upload.error)}
        </p>
      )}
      {isPicking && (
        <FilePicker
          attribute={attribute}
          onClose={() => setPicking(false)}
          onChoose={(link) => {
            setPicking(false);
            add([link]);
          }}
        />
      )}
    </>
  );
}
