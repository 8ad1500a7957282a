import { useState } from 'react';
import type { InputState } from '../form/form-context.js';
import { JsonInput } from '../inputs/json/json-input.js';
import { useTexts } from '../language/language.js';
import { openBlocks } from './document/blocks.js';
import type { DifferenceMark } from './compared-document.js';
import type { OpenDocument } from './document/document.js';
import { openMarkdown } from './document/markdown.js';
import { WritingArea } from './writing-area.js';

interface Props {
  readonly format: 'blocks' | 'markdown';
  readonly input: InputState;
  readonly label: string;
  /** What an empty text shows; undefined: how to begin. */
  readonly placeholder: string | undefined;
  /** That of what is written. */
  readonly lang: string | undefined;
  /** JSON of blocks, or Markdown. */
  readonly value: string;
  /** Another version, whose words are not marked. */
  readonly compared?: Compared | undefined;
  readonly onChange: (value: string) => void;
}

export interface Compared {
  readonly value: string;
  readonly mark: DifferenceMark;
}

interface Opened {
  /** Changes with a value that was not written here, e.g. when an entry is read again. */
  readonly version: number;
  readonly value: string;
  readonly document: OpenDocument | undefined;
}

const read = (format: Props['format'], value: string): OpenDocument | undefined =>
  format === 'blocks' ? openBlocks(value) : openMarkdown(value);

const open = ({ format, value }: Props, version: number): Opened => ({
  version,
  value,
  document: read(format, value),
});

/** Text with headings, lists and images, written as it will look; or its source. */
export function WritingInput(props: Props) {
  const { format, input, label, placeholder, lang, value, compared, onChange } = props;
  const texts = useTexts().writing;
  const [isSource, setSource] = useState(false);
  const [opened, setOpened] = useState(() => open(props, 0));
  const set = (next: string): void => {
    setOpened({ ...opened, value: next });
    onChange(next);
  };
  if (opened.value !== value) setOpened(open(props, opened.version + 1));
  const { document, version } = opened;
  if (!isSource && document !== undefined) {
    return (
      <WritingArea
        key={version}
        format={format}
        document={document}
        input={input}
        label={label}
        placeholder={placeholder}
        lang={lang}
        isReadOnly={input.disabled}
        compared={compared && { nodes: read(format, compared.value)?.nodes ?? [], mark: compared.mark }}
        onChange={set}
        onSource={() => setSource(true)}
      />
    );
  }
  return (
    <>
      {format === 'blocks' ? (
        <JsonInput input={input} value={value} onChange={onChange} />
      ) : (
        <textarea
          {...input}
          dir="auto"
          rows={14}
          className="code"
          spellCheck={false}
          value={value}
          onChange={({ target }) => onChange(target.value)}
        />
      )}
      <button type="button" disabled={document === undefined} onClick={() => setSource(false)}>
        {texts.asText}
      </button>
    </>
  );
}
