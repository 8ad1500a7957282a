import { useState } from 'react';
import type { InputState } from '../../form/form-context.js';
import { useForm } from '../../form/form-context.js';
import type { Texts } from '../../language/choose-texts.js';
import { useTexts } from '../../language/language.js';
import { moved, useDragOrder } from '../drag-order.js';
import { FilePicker } from '../file-picker.js';
import { OrderButtons } from '../order-buttons.js';
import { blockOf, blockOfImage, imageIn, kindOf, kinds, textOf, type Block } from './block-kinds.js';

interface Props {
  readonly input: InputState;
  readonly label: string;
  /** JSON. */
  readonly value: string;
  readonly onChange: (value: string) => void;
}

const labelOf = (texts: Texts['blocks'], kind: string): string => {
  const [, level] = /^heading(\d)$/.exec(kind) ?? [];
  return level === undefined ? texts.kinds[kind as keyof Texts['blocks']['kinds']] : texts.heading(Number(level));
};

/** The blocks in a value; undefined if the JSON is not a list of blocks. */
function blocksIn(value: string): readonly Block[] | undefined {
  try {
    const parsed: unknown = value === '' ? [] : JSON.parse(value);
    const isBlock = (block: unknown): boolean =>
      typeof block === 'object' && block !== null && 'type' in block && typeof block.type === 'string';
    return Array.isArray(parsed) && parsed.every(isBlock) ? (parsed as readonly Block[]) : undefined;
  } catch {
    return undefined;
  }
}

/** Strapi's blocks: each is edited as Markdown. */
export function BlocksInput({ input, label, value, onChange }: Props) {
  const texts = useTexts().blocks;
  const { content } = useForm();
  const [isJson, setJson] = useState(false);
  const [isPicking, setPicking] = useState(false);
  const blocks = blocksIn(value);
  const set = (next: readonly Block[]): void => onChange(next.length === 0 ? '' : JSON.stringify(next, undefined, 2));
  const drag = useDragOrder(blocks ?? [], 'part', set);
  if (isJson || blocks === undefined) {
    return (
      <>
        <textarea
          {...input}
          rows={12}
          className="code"
          spellCheck={false}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
        <button type="button" disabled={blocks === undefined} onClick={() => setJson(false)}>
          {texts.asBlocks}
        </button>
      </>
    );
  }
  return (
    <fieldset
      className="group"
      aria-label={label}
      id={input.id}
      tabIndex={-1}
      disabled={input.disabled}
      aria-describedby={input['aria-describedby']}
    >
      <ol className="parts">
        {blocks.map((block, index) => (
          <li key={index} {...drag(index).item}>
            <BlockFields
              block={block}
              number={index + 1}
              onChange={(next) => set(blocks.with(index, next))}
              buttons={
                <OrderButtons
                  handle={drag(index).handle}
                  label={texts.block(index + 1)}
                  index={index}
                  count={blocks.length}
                  onMove={(to) => set(moved(blocks, index, to))}
                  onRemove={() => set(blocks.toSpliced(index, 1))}
                />
              }
            />
          </li>
        ))}
      </ol>
      <div className="row">
        <button type="button" onClick={() => set([...blocks, blockOf('paragraph', '')])}>
          {texts.add}
        </button>
        {content.files.find && (
          <button type="button" onClick={() => setPicking(true)}>
            {texts.addImage}
          </button>
        )}
        <button type="button" onClick={() => setJson(true)}>
          {texts.asJson}
        </button>
      </div>
      {isPicking && (
        <FilePicker
          kinds={['images']}
          onClose={() => setPicking(false)}
          onChoose={({ file }) => {
            setPicking(false);
            if (file !== undefined) set([...blocks, blockOfImage(file)]);
          }}
        />
      )}
    </fieldset>
  );
}

function BlockFields(props: {
  readonly block: Block;
  readonly number: number;
  readonly onChange: (block: Block) => void;
  readonly buttons: React.ReactNode;
}) {
  const texts = useTexts().blocks;
  const { block, number, onChange } = props;
  const current = JSON.stringify(block);
  const [draft, setDraft] = useState({ of: current, text: textOf(block) });
  // Another block is here now. What is being typed stays as it is: Markdown has many forms for one text.
  if (draft.of !== current) setDraft({ of: current, text: textOf(block) });
  const kind = kindOf(block);
  const { text } = draft;
  const image = imageIn(block);
  const isText = kind !== undefined && text !== undefined;
  const change = (next: Block, typed: string | undefined): void => {
    setDraft({ of: JSON.stringify(next), text: typed });
    onChange(next);
  };
  return (
    <>
      <div className="row">
        {isText ? (
          <select
            className="grow"
            aria-label={texts.kindOf(number)}
            value={kind}
            onChange={({ target }) => change(blockOf(target.value, text), text)}
          >
            {Object.keys(kinds).map((name) => (
              <option key={name} value={name}>
                {labelOf(texts, name)}
              </option>
            ))}
          </select>
        ) : (
          <span className="grow">{image === undefined ? texts.onlyJson(String(block['type'])) : texts.image}</span>
        )}
        {props.buttons}
      </div>
      {image !== undefined && <img className="block" src={image.url} alt={image.alternativeText} />}
      {isText && (
        <textarea
          aria-label={texts.textOf(number)}
          rows={3}
          className={kind === 'code' ? 'code' : ''}
          spellCheck={kind !== 'code'}
          value={text}
          onChange={({ target }) => change(blockOf(kind, target.value), target.value)}
        />
      )}
    </>
  );
}
