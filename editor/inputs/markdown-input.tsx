import DOMPurify from 'dompurify';
import { marked } from 'marked';
import { useMemo, useRef, useState } from 'react';
import type { InputState } from '../form/form-context.js';
import type { Texts } from '../language/choose-texts.js';
import { useTexts } from '../language/language.js';

interface Props {
  readonly input: InputState;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** What the buttons put around the selected text, or before its line. */
const marks: readonly (readonly [name: keyof Texts['inputs']['marks'], before: string, after: string])[] = [
  ['bold', '**', '**'],
  ['italic', '_', '_'],
  ['heading', '\n## ', ''],
  ['list', '\n- ', ''],
  ['quote', '\n> ', ''],
  ['code', '`', '`'],
  ['link', '[', '](https://)'],
];

/** Markdown, as Strapi stores rich text, with a preview. */
export function MarkdownInput({ input, value, onChange }: Props) {
  const texts = useTexts().inputs;
  const area = useRef<HTMLTextAreaElement>(null);
  const [isPreview, setPreview] = useState(false);
  const insert = (before: string, after: string): void => {
    const element = area.current;
    if (element === null) return;
    const { selectionStart: start, selectionEnd: end } = element;
    const isLineStart = start === 0 || value[start - 1] === '\n';
    const opening = isLineStart ? before.trimStart() : before;
    onChange(value.slice(0, start) + opening + value.slice(start, end) + after + value.slice(end));
    requestAnimationFrame(() => {
      element.focus();
      element.setSelectionRange(start + opening.length, end + opening.length);
    });
  };
  return (
    <div className="markdown">
      <div className="row" role="toolbar" aria-label={texts.formatting}>
        {marks.map(([name, before, after]) => (
          <button key={name} type="button" disabled={input.disabled || isPreview} onClick={() => insert(before, after)}>
            {texts.marks[name]}
          </button>
        ))}
        <button type="button" aria-pressed={isPreview} onClick={() => setPreview(!isPreview)}>
          {texts.preview}
        </button>
      </div>
      {isPreview ? (
        <Preview text={value} />
      ) : (
        <textarea {...input} ref={area} rows={10} value={value} onChange={(event) => onChange(event.target.value)} />
      )}
    </div>
  );
}

/** Markdown can contain HTML: only what cannot run, load frames or change the page is shown. */
function Preview({ text }: { readonly text: string }) {
  const texts = useTexts().inputs;
  const html = useMemo(() => {
    const rendered = marked.parse(text, { async: false });
    return DOMPurify.sanitize(rendered, {
      USE_PROFILES: { html: true },
      FORBID_TAGS: ['style', 'form'],
      FORBID_ATTR: ['style'],
    });
  }, [text]);
  return (
    <div
      className="preview"
      role="region"
      aria-label={texts.preview}
      tabIndex={0}
      dangerouslySetInnerHTML={{ __html: html }}
    />
  );
}
