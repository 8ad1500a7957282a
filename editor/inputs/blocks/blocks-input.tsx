import { useState } from 'react';
import type { InputState } from '../../form/fields.js';
import type { Texts } from '../../language/choose-texts.js';
import { useTexts } from '../../language/language.js';
import { useDragOrder } from '../drag-order.js';
import { moved, OrderButtons } from '../order-buttons.js';
import { fromMarkdown, toMarkdown } from './inline.js';

interface Props {
  readonly input: InputState;
  readonly label: string;
  /** JSON. */
  readonly value: string;
  readonly onChange: (value: string) => void;
}

type Block = Readonly<Record<string, unknown>>;

/** The kinds of blocks that are edited as text; those of other kinds can be ordered and removed, and edited as JSON. */
const kinds: Readonly<Record<string, Block>> = {
  paragraph: { type: 'paragraph' },
  ...Object.fromEntries([1, 2, 3, 4, 5, 6].map((level) => [`heading${level}`, { type: 'heading', level }])),
  quote: { type: 'quote' },
};

const labelOf = (texts: Texts['blocks'], { type, level }: Block): string =>
  type === 'heading' ? texts.heading(Number(level)) : texts[type === 'quote' ? 'quote' : 'paragraph'];

/** The name of a block's kind; undefined for other kinds, and for blocks with more than their text. */
function kindOf(block: Block): string | undefined {
  const same = (other: Block): boolean =>
    Object.keys(block).length === Object.keys({ ...other, children: [] }).length &&
    Object.entries(other).every(([name, value]) => block[name] === value);
  return Object.keys(kinds).find((name) => same(kinds[name] ?? {}));
}

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
  const [isJson, setJson] = useState(false);
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
        <button type="button" onClick={() => set([...blocks, { type: 'paragraph', children: fromMarkdown('') }])}>
          {texts.add}
        </button>
        <button type="button" onClick={() => setJson(true)}>
          {texts.asJson}
        </button>
      </div>
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
  const [draft, setDraft] = useState({ of: current, text: toMarkdown(block['children']) });
  // Another block is here now. What is being typed stays as it is: Markdown has many forms for one text.
  if (draft.of !== current) setDraft({ of: current, text: toMarkdown(block['children']) });
  const kind = kindOf(block);
  const { text } = draft;
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
            onChange={({ target }) => change({ ...kinds[target.value], children: block['children'] }, text)}
          >
            {Object.entries(kinds).map(([name, own]) => (
              <option key={name} value={name}>
                {labelOf(texts, own)}
              </option>
            ))}
          </select>
        ) : (
          <span className="grow">{texts.onlyJson(String(block['type']))}</span>
        )}
        {props.buttons}
      </div>
      {isText && (
        <textarea
          aria-label={texts.textOf(number)}
          rows={3}
          value={text}
          onChange={({ target }) => change({ ...block, children: fromMarkdown(target.value) }, target.value)}
        />
      )}
    </>
  );
}
