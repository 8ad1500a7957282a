import { useMutation } from '@tanstack/react-query';
import { useCallback, useMemo, useRef, useState } from 'react';
import { createEditor, Editor, Transforms, type Descendant, type NodeEntry } from 'slate';
import { withHistory } from 'slate-history';
import { Editable, ReactEditor, Slate, withReact } from 'slate-react';
import { uploadFiles } from '../api/files.js';
import { useSession } from '../api/session.js';
import { useUploadFolder } from '../files/folders/use-upload-folder.js';
import { useKnownFiles } from '../files/known/use-known-files.js';
import { useForm, type InputState } from '../form/form-context.js';
import { FilePicker } from '../inputs/file-picker.js';
import { useTexts } from '../language/language.js';
import { refusalOf } from '../model/library/file-kinds.js';
import { pressedIn } from '../model/commands/shortcuts.js';
import { useNotice } from '../shell/notices.js';
import { insertBlock } from './commands.js';
import { comparedDocument, ownIn, type DifferenceMark } from './compared-document.js';
import {
  imageBlock,
  marks,
  type ElementNode,
  type Format,
  type Image,
  type Mark,
  type OpenDocument,
} from './document/document.js';
import { Block, Leaf, wordsIn } from './elements.js';
import { LinkCard } from './link-card.js';
import { LinkDialog } from './link-dialog.js';
import { useSlashMenu } from './slash-menu.js';
import { describeLosses } from './paste/pasted.js';
import { storeImages } from './paste/store-images.js';
import { foundIn } from './search/matches.js';
import { SearchBar } from './search/search-bar.js';
import { Toolbar } from './toolbar.js';
import { withPasting } from './with-pasting.js';
import { press, withTyping } from './with-typing.js';

interface Props {
  readonly format: Format;
  readonly document: OpenDocument;
  readonly input: InputState;
  readonly label: string;
  readonly placeholder: string | undefined;
  readonly lang: string | undefined;
  readonly isReadOnly: boolean;
  /** The words of its own are marked, and blocks that are far from them left out. */
  readonly compared?: { readonly nodes: readonly ElementNode[]; readonly mark: DifferenceMark } | undefined;
  readonly onChange: (value: string) => void;
  readonly onSource: () => void;
}

/** Markdown has no underlined text. */
const marksOf = (format: Props['format']): readonly Mark[] =>
  format === 'blocks' ? marks : marks.filter((mark) => mark !== 'underline');

/** One surface for a whole text: toolbar, menu of blocks, shortcuts and images. */
export function WritingArea(props: Props) {
  const { format, document, input, label, lang, isReadOnly, compared, onChange, onSource } = props;
  const texts = useTexts();
  const { content } = useForm();
  const { api } = useSession();
  const show = useNotice();
  const place = useUploadFolder(content);
  const known = useKnownFiles(content);
  const [isWide, setWide] = useState(false);
  const [open, setOpen] = useState<'image' | 'link'>();
  /** The letters that are searched; undefined: none are. */
  const [search, setSearch] = useState<string>();
  const allowed = marksOf(format);
  const [editor] = useState(() => withTyping(withHistory(withReact(createEditor(), `x-slate-${format}`)), format));
  const [words, setWords] = useState(() => wordsIn(document.nodes));
  const insertImages = (files: readonly Image[]): void => {
    for (const file of files) insertBlock(editor, imageBlock(file, format));
    ReactEditor.focus(editor);
  };
  const upload = useMutation({
    mutationFn: async (files: readonly File[]) => {
      const { uploaded, known: same } = (await known.choose(files)) ?? { uploaded: [], known: [] };
      return [...same, ...(uploaded.length === 0 ? [] : await uploadFiles(api, uploaded, place.infoNow()))];
    },
    onSuccess: insertImages,
    onError: (error) => show({ kind: 'failed', error }),
  });
  const addFiles = (files: readonly File[]): void => {
    const { limit } = content.files;
    const refusal = refusalOf(texts.files, files, { limit, field: { label, kinds: ['images'], multiple: true } });
    if (!content.files.upload) return;
    if (refusal === undefined) upload.mutate(files);
    else show({ kind: 'failed', text: refusal });
  };
  const isPlain = useRef(false);
  useMemo(
    () =>
      withPasting(editor, {
        format,
        isPlain: () => isPlain.current,
        onFiles: addFiles,
        store: (nodes, losses) =>
          storeImages(nodes, losses, { api, format, mayUpload: content.files.upload, infoNow: place.infoNow }),
        onPasted: (losses) => {
          const text = describeLosses(texts.writing.lost, losses);
          if (text !== '') show({ kind: 'failed', text });
        },
        onFailed: (error) => show({ kind: 'failed', error }),
      }),
    [editor],
  );
  const area = useRef<HTMLDivElement>(null);
  const menu = useSlashMenu({
    editor,
    area,
    format,
    mayInsertImage: content.files.find,
    onImage: () => setOpen('image'),
  });
  const [beside] = useState(
    () => compared && comparedDocument(document.nodes, compared.nodes, texts.conflict.asBefore),
  );
  const mark = compared?.mark;
  const decorate = useCallback(
    (entry: NodeEntry) => {
      const [node, path] = entry;
      if (beside === undefined || mark === undefined || Editor.isEditor(node))
        return foundIn(editor, entry, search ?? '');
      return ownIn(beside.own, node, path, mark);
    },
    [editor, search, beside, mark],
  );
  const close = (): void => {
    setOpen(undefined);
    requestAnimationFrame(() => ReactEditor.focus(editor));
  };
  return (
    <div
      ref={area}
      className={isWide ? 'writing wide' : 'writing'}
      data-invalid={input['aria-invalid']}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !isWide || open !== undefined) return;
        // A dialog around it stays open.
        event.stopPropagation();
        setWide(false);
      }}
    >
      <Slate
        editor={editor}
        initialValue={beside?.nodes ?? document.nodes}
        onChange={menu.follow}
        onValueChange={(value: Descendant[]) => {
          setWords(wordsIn(value));
          onChange(document.write(value as ElementNode[]));
        }}
      >
        {!isReadOnly && (
          <Toolbar
            format={format}
            marks={allowed}
            isWide={isWide}
            isUploading={upload.isPending}
            onWide={() => setWide(!isWide)}
            onLink={() => setOpen('link')}
            onImage={content.files.find ? () => setOpen('image') : undefined}
            onSource={onSource}
            onFind={() => setSearch(search === undefined ? '' : undefined)}
          />
        )}
        <Editable
          id={input.id}
          className="page"
          lang={lang}
          // An empty text would be as low as one line.
          disableDefaultStyles
          role="textbox"
          aria-multiline
          aria-readonly={isReadOnly}
          tabIndex={0}
          aria-label={label}
          aria-invalid={input['aria-invalid']}
          aria-describedby={input['aria-describedby']}
          aria-activedescendant={menu.activeId}
          readOnly={isReadOnly}
          placeholder={isReadOnly ? undefined : (props.placeholder ?? texts.writing.placeholder)}
          renderPlaceholder={({ attributes, children }) => (
            <span {...attributes} className="placeholder" style={{ ...attributes.style, opacity: 1 }}>
              {children}
            </span>
          )}
          decorate={decorate}
          renderElement={(props) => <Block written={format} {...props} />}
          renderLeaf={(props) => <Leaf {...props} />}
          onKeyDown={(event) => {
            if (event.nativeEvent.isComposing || isReadOnly) return;
            // As everywhere, Shift with the keys of pasting asks for the letters alone.
            const [name] = pressedIn(['text'], event);
            isPlain.current = name === 'pastePlain';
            // In the text of an image or a cell; Enter would save the entry.
            if (event.target !== event.currentTarget) {
              if (event.key === 'Enter') event.preventDefault();
              return;
            }
            if (menu.press(event)) return;
            if (name === 'link') {
              event.preventDefault();
              setOpen('link');
            } else if (press(editor, event, allowed)) event.preventDefault();
          }}
          onClick={({ target, currentTarget }) => {
            // Below the last block: the text goes on.
            if (target !== currentTarget || isReadOnly) return;
            const last = editor.children.at(-1);
            if (last !== undefined && 'type' in last && last.type === 'paragraph') return;
            Transforms.select(editor, Editor.end(editor, []));
            insertBlock(editor, { type: 'paragraph', children: [{ type: 'text', text: '' }] });
          }}
        />
        {search !== undefined && (
          <SearchBar
            search={search}
            onSearch={setSearch}
            onClose={() => {
              setSearch(undefined);
              ReactEditor.focus(editor);
            }}
          />
        )}
        {!isReadOnly && open === undefined && <LinkCard area={area} onEdit={() => setOpen('link')} />}
        {menu.list}
      </Slate>
      {!isReadOnly && <p className="hint words">{texts.writing.words(words)}</p>}
      {open === 'link' && <LinkDialog editor={editor} format={format} onClose={close} />}
      {known.dialog}
      {open === 'image' && (
        <FilePicker
          kinds={['images']}
          onClose={close}
          onChoose={({ file }) => {
            setOpen(undefined);
            if (file !== undefined) requestAnimationFrame(() => insertImages([file]));
          }}
        />
      )}
    </div>
  );
}
