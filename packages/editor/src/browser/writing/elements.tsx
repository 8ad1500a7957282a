import { createElement } from 'react';
import { Node, Transforms } from 'slate';
import {
  ReactEditor,
  useReadOnly,
  useSelected,
  useSlateStatic,
  type RenderElementProps,
  type RenderLeafProps,
} from 'slate-react';
import { useTexts } from '../language/language.js';
import { TableBlock } from './table-block.js';

/** How a block, a link or an image looks. */
export function Block(props: RenderElementProps) {
  const texts = useTexts().writing;
  const { element, attributes, children } = props;
  const { type, level = 1, format, url } = element;
  if (type === 'image') return <ImageBlock {...props} />;
  if (type === 'table') return <TableBlock {...props} />;
  if (type === 'kept') return <KeptBlock {...props} />;
  if (type === 'link')
    return (
      <a href={url} title={url} target="_blank" rel="noreferrer" {...attributes}>
        {children}
      </a>
    );
  // The page has a heading of the first level.
  if (type === 'heading')
    return createElement(`h${Math.min(level + 1, 6)}`, { ...attributes, className: `level${level}` }, children);
  if (type === 'list')
    return format === 'ordered' ? (
      <ol start={element.start} {...attributes}>
        {children}
      </ol>
    ) : (
      <ul {...attributes}>{children}</ul>
    );
  if (type === 'list-item') return <li {...attributes}>{children}</li>;
  if (type === 'quote') return <blockquote {...attributes}>{children}</blockquote>;
  if (type === 'code')
    return (
      <pre {...attributes}>
        <code>{children}</code>
      </pre>
    );
  if (type === 'source') {
    return (
      <pre className="source" data-label={texts.source} {...attributes}>
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
  return <span {...attributes}>{inner}</span>;
}

/** An image with the text for those who cannot see it. */
function ImageBlock({ element, attributes, children }: RenderElementProps) {
  const texts = useTexts();
  const editor = useSlateStatic();
  const isSelected = useSelected();
  const isReadOnly = useReadOnly();
  const { url = '', alternativeText } = element.image ?? {};
  return (
    <div {...attributes} className={isSelected ? 'image selected' : 'image'}>
      <div contentEditable={false}>
        <img src={url} alt={alternativeText ?? ''} />
        {!isReadOnly && (
          <input
            type="text"
            aria-label={texts.files.alternativeText}
            placeholder={texts.writing.describe}
            value={alternativeText ?? ''}
            onChange={({ target }) => {
              const image = { ...element.image, url, alternativeText: target.value };
              Transforms.setNodes(editor, { image }, { at: ReactEditor.findPath(editor, element) });
            }}
          />
        )}
      </div>
      {children}
    </div>
  );
}

/** A block that only the JSON shows. */
function KeptBlock({ element, attributes, children }: RenderElementProps) {
  const texts = useTexts().writing;
  const isSelected = useSelected();
  const { type = typeof element.kept } = (element.kept ?? {}) as { readonly type?: unknown };
  return (
    <div {...attributes} className={isSelected ? 'kept selected' : 'kept'}>
      <div contentEditable={false}>{texts.onlyJson(String(type))}</div>
      {children}
    </div>
  );
}

/** Words, for those who write to length. */
export const wordsIn = (nodes: readonly Node[]): number =>
  nodes.reduce((count, node) => {
    const cells = 'table' in node ? (node.table?.rows.flat().join(' ') ?? '') : '';
    const words = (cells + Node.string(node)).match(/[\p{L}\p{N}][\p{L}\p{N}'’-]*/gu);
    const below = 'children' in node && node.children.some((child) => 'children' in child && child.type !== 'link');
    return count + (below ? wordsIn(node.children) : (words?.length ?? 0));
  }, 0);
