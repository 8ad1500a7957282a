import { ExplainedError } from '../language/message-of.js';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Transforms, type Editor } from 'slate';
import { readEntry } from '../api/entries.js';
import { useSession } from '../api/session.js';
import { useForm } from '../form/form-context.js';
import { Choice } from '../inputs/choice.js';
import { EntrySearch } from '../inputs/entry-search.js';
import { FilePicker } from '../inputs/file-picker.js';
import { useTexts } from '../language/language.js';
import { fieldsOfAddress, linkAddress } from '../model/link-address.js';
import { typeOf, type ContentType } from '../model/schema.js';
import type { Link } from '../model/values.js';
import { Dialog } from '../shell/dialog.js';
import { Failure } from '../shell/notices.js';
import { linkAt, setLink } from './commands.js';
import type { Format } from './document/document.js';

interface Props {
  readonly editor: Editor;
  readonly format: Format;
  readonly onClose: () => void;
}

/** Asks for the address of a link: typed, or that of an entry or a file. */
export function LinkDialog({ editor, format, onClose }: Props) {
  const texts = useTexts();
  const { content } = useForm();
  const [selection] = useState(editor.selection);
  const current = linkAt(editor);
  const [url, setUrl] = useState(current?.url ?? '');
  const [title, setTitle] = useState(current?.title ?? '');
  /** What a link is called that is inserted where nothing is selected. */
  const [label, setLabel] = useState<string>();
  const [isPicking, setPicking] = useState(false);
  const set = (address: string): void => {
    // The dialog had the focus.
    if (selection !== null) Transforms.select(editor, selection);
    setLink(editor, address, { title, label });
    onClose();
  };
  const choose = (address: string, name: string): void => {
    setUrl(address);
    setLabel(name);
  };
  const linked = content.contentTypes.filter(
    ({ preview, actions }) => preview !== undefined && actions.includes('find'),
  );
  return (
    <Dialog title={texts.writing.link} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          set(url.trim());
        }}
      >
        <label>
          {texts.writing.address}
          <input
            name="url"
            value={url}
            required
            autoComplete="off"
            onChange={({ target }) => {
              setUrl(target.value);
              setLabel(undefined);
            }}
          />
        </label>
        {format === 'markdown' && (
          <label>
            {texts.writing.title}
            <input name="title" value={title} autoComplete="off" onChange={({ target }) => setTitle(target.value)} />
          </label>
        )}
        {linked.length > 0 && <EntryLink types={linked} onChoose={choose} />}
        {content.files.find && (
          <button type="button" onClick={() => setPicking(true)}>
            {texts.writing.linkFile}
          </button>
        )}
        <div className="actions">
          <button type="submit" className="primary">
            {texts.common.save}
          </button>
          {current !== undefined && (
            <button type="button" onClick={() => set('')}>
              {texts.writing.removeLink}
            </button>
          )}
        </div>
      </form>
      {isPicking && (
        <FilePicker
          kinds={undefined}
          onClose={() => setPicking(false)}
          onChoose={({ file }) => {
            setPicking(false);
            if (file !== undefined) choose(file.url, file.name);
          }}
        />
      )}
    </Dialog>
  );
}

/** Searches an entry whose address in the site is known. */
function EntryLink(props: {
  readonly types: readonly ContentType[];
  readonly onChoose: (url: string, label: string) => void;
}) {
  const texts = useTexts();
  const { content, locale } = useForm();
  const { api } = useSession();
  const [uid, setUid] = useState(props.types[0]?.uid ?? '');
  const type = typeOf(content, uid);
  const read = useMutation({
    mutationFn: async ({ id, title }: Link) => {
      if (type === undefined) return;
      const { entry } = await readEntry(api, type, id, { fields: fieldsOfAddress(type) });
      const address = entry && linkAddress(type, entry);
      if (address === undefined) throw new ExplainedError(texts.writing.noAddress(title));
      props.onChoose(address, title);
    },
  });
  if (type === undefined) return undefined;
  // Its form would be over this dialog, without an address yet.
  const chosen = { ...type, actions: type.actions.filter((action) => action !== 'create') };
  return (
    <div className="link-entry">
      {props.types.length > 1 && (
        <Choice
          label={texts.common.type}
          value={uid}
          onChange={setUid}
          options={props.types.map((one) => ({ value: one.uid, label: one.listName }))}
        />
      )}
      <EntrySearch
        key={uid}
        content={content}
        locale={locale}
        label={texts.writing.linkEntry(type.listName)}
        placeholder={texts.writing.linkEntry(type.listName)}
        type={chosen}
        exclude={[]}
        onChoose={(link) => read.mutate(link)}
      />
      {read.error !== null && <Failure error={read.error} />}
    </div>
  );
}
