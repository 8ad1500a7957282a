import { createElement } from 'react';
import { Node, Transforms } from 'slate';
import {
  ReactEditor,
  useReadOnly,
  useSelected,
  useSlateSelector,
  useSlateStatic,
  type RenderElementProps,
  type RenderLeafProps,
} from 'slate-react';
import { useTexts } from '../language/language.js';
import { isSafeLink } from './document/addresses.js';
import type { Format, Image } from './document/document.js';
import { TableBlock, TableCell } from './table-block.js';

/** How a block, a link or an image looks. */
export function Block({ written, ...props }: RenderElementProps & { readonly written: Format }) {
  const texts = useTexts().writing;
  const { element, attributes, children } = props;
  const { type, level = 1, url = '', title } = element;
  if (type === 'image') return <ImageBlock written={written} {...props} />;
  if (type === 'table') return <TableBlock {...props} />;
  if (type === 'table-row') return <tr {...attributes}>{children}</tr>;
  if (type === 'table-cell') return <TableCell {...props} />;
  if (type === 'line') return <LineBlock {...props} />;
  if (type === 'kept') return <KeptBlock {...props} />;
  if (type === 'link')
    return (
      <a
        href={isSafeLink(url) ? url : undefined}
        title={title === undefined ? url : `${title} (${url})`}
        target="_blank"
        rel="noreferrer"
        {...attributes}
      >
        {children}
      </a>
    );
  // The page has a heading of the first level.
  if (type === 'heading')
    return createElement(`h${Math.min(level + 1, 6)}`, { ...attributes, className: `text-level${level}` }, children);
  if (type === 'list') return <ListBlock {...props} />;
  if (type === 'list-item')
    return element.checked === undefined ? <li {...attributes}>{children}</li> : <Task {...props} />;
  if (type === 'quote') return <blockquote {...attributes}>{children}</blockquote>;
  if (type === 'code') return <CodeBlock {...props} />;
  if (type === 'fold')
    return (
      <p className="text-fold" {...attributes}>
        {children}
      </p>
    );
  if (type === 'source') {
    return (
      <pre className="text-source" data-label={texts.source} {...attributes}>
        {children}
      </pre>
    );
  }
  return <p {...attributes}>{children}</p>;
}

/** How text looks. */
export function Leaf({ attributes, children, leaf }: RenderLeafProps) {
  let inner = children as React.ReactNode;
  if (leaf.bold) inner = <strong>{inner}</strong>;
  if (leaf.italic) inner = <em>{inner}</em>;
  if (leaf.underline) inner = <u>{inner}</u>;
  if (leaf.strikethrough) inner = <s>{inner}</s>;
  if (leaf.code || leaf.source) inner = <code>{inner}</code>;
  if (leaf.found) inner = <mark>{inner}</mark>;
  if (leaf.differs !== undefined) inner = createElement(leaf.differs, {}, inner);
  return <span {...attributes}>{inner}</span>;
}

/** A list; one in another list is an item of that, as lists have nothing else in them. */
function ListBlock({ element, attributes, children }: RenderElementProps) {
  const { format, start } = element;
  const isInList = useSlateSelector((editor) => {
    const around = Node.parent(editor, ReactEditor.findPath(editor, element));
    return 'type' in around && around.type === 'list';
  });
  const own = isInList ? {} : attributes;
  const list =
    format === 'ordered' ? (
      <ol start={start} {...own}>
        {children}
      </ol>
    ) : (
      <ul {...own}>{children}</ul>
    );
  if (!isInList) return list;
  return (
    <li {...attributes} className="text-nested">
      {list}
    </li>
  );
}

/** An item with a box that is checked when it is done. */
function Task({ element, attributes, children }: RenderElementProps) {
  const texts = useTexts().writing;
  const editor = useSlateStatic();
  const isReadOnly = useReadOnly();
  return (
    <li {...attributes} className="text-task">
      <input
        type="checkbox"
        contentEditable={false}
        aria-label={texts.done}
        disabled={isReadOnly}
        checked={element.checked === true}
        onChange={({ target }) =>
          Transforms.setNodes(editor, { checked: target.checked }, { at: ReactEditor.findPath(editor, element) })
        }
      />
      <span>{children}</span>
    </li>
  );
}

/** Code with the name of its language. */
function CodeBlock({ element, attributes, children }: RenderElementProps) {
  const texts = useTexts().writing;
  const editor = useSlateStatic();
  const isReadOnly = useReadOnly();
  const { language = '' } = element;
  return (
    <div {...attributes} className="text-code">
      <pre>
        <code>{children}</code>
      </pre>
      {(!isReadOnly || language !== '') && (
        <input
          type="text"
          contentEditable={false}
          aria-label={texts.language}
          placeholder={texts.language}
          autoComplete="off"
          spellCheck={false}
          readOnly={isReadOnly}
          value={language}
          onChange={({ target }) => {
            const at = ReactEditor.findPath(editor, element);
            const name = target.value.replaceAll(/[\s`]/g, '');
            if (name === '') Transforms.unsetNodes(editor, 'language', { at });
            else Transforms.setNodes(editor, { language: name }, { at });
          }}
        />
      )}
    </div>
  );
}

/** A line across the text. */
function LineBlock({ attributes, children }: RenderElementProps) {
  const isSelected = useSelected();
  return (
    <div {...attributes} className={isSelected ? 'text-line text-selected' : 'text-line'}>
      <hr contentEditable={false} />
      {children}
    </div>
  );
}

/** An image with the text for those who cannot see it, its title and its width. */
function ImageBlock({ element, attributes, children, written }: RenderElementProps & { readonly written: Format }) {
  const texts = useTexts();
  const editor = useSlateStatic();
  const isSelected = useSelected();
  const isReadOnly = useReadOnly();
  const image = element.image ?? { url: '' };
  const { url, alternativeText, caption, width, height } = image;
  const change = (changes: Partial<Image>): void =>
    Transforms.setNodes(editor, { image: { ...image, ...changes } }, { at: ReactEditor.findPath(editor, element) });
  const isFile = written === 'blocks' && width != null && height != null;
  const setWidth = (typed: string): void => {
    const pixels = Math.min(Number(typed.replaceAll(/\D/g, '')), MAX_WIDTH);
    // A file always has a width and a height, of the same shape.
    if (isFile && pixels > 0 && width > 0)
      change({ width: pixels, height: Math.max(1, Math.round((height * pixels) / width)) });
    else if (!isFile) change({ width: pixels === 0 ? null : pixels });
  };
  return (
    <div {...attributes} className={isSelected ? 'text-image text-selected' : 'text-image'}>
      <div contentEditable={false}>
        <img src={url} alt={alternativeText ?? ''} width={width ?? undefined} />
        {!isReadOnly && (
          <div className="text-about">
            <input
              type="text"
              aria-label={texts.files.alternativeText}
              placeholder={texts.writing.describe}
              value={alternativeText ?? ''}
              onChange={({ target }) => change({ alternativeText: target.value })}
            />
            <input
              type="text"
              aria-label={texts.writing.title}
              placeholder={texts.writing.title}
              value={caption ?? ''}
              onChange={({ target }) => change({ caption: target.value })}
            />
            {(isFile || written === 'markdown') && (
              <input
                type="text"
                inputMode="numeric"
                aria-label={texts.writing.width}
                placeholder={texts.writing.width}
                title={written === 'markdown' ? texts.writing.widthIsHtml : undefined}
                value={width ?? ''}
                onChange={({ target }) => setWidth(target.value)}
              />
            )}
          </div>
        )}
      </div>
      {children}
    </div>
  );
}

/** Pixels; more is no width of an image in a text. */
const MAX_WIDTH = 10_000;

/** A block that only the JSON shows. */
function KeptBlock({ element, attributes, children }: RenderElementProps) {
  const texts = useTexts().writing;
  const isSelected = useSelected();
  const { type = typeof element.kept } = (element.kept ?? {}) as { readonly type?: unknown };
  return (
    <div {...attributes} className={isSelected ? 'text-kept text-selected' : 'text-kept'}>
      <div contentEditable={false}>{texts.onlyJson(String(type))}</div>
      {children}
    </div>
  );
}

/** Words, for those who write to length. */
export const wordsIn = (nodes: readonly Node[]): number =>
  nodes.reduce((count, node) => {
    const words = Node.string(node).match(/[\p{L}\p{N}][\p{L}\p{N}'’-]*/gu);
    const below = 'children' in node && node.children.some((child) => 'children' in child && child.type !== 'link');
    return count + (below ? wordsIn(node.children) : (words?.length ?? 0));
  }, 0);
