import { useRef } from 'react';
import { useWritten, type InputState } from '../form/form-context.js';
import { useTexts } from '../language/language.js';
import type { ScalarAttribute } from '../model/schema.js';
import { stringsIn } from '../model/scalars.js';
import { OrderedItem, useOrder } from './ordered-item.js';
import { TextInput } from './text-input.js';

interface Props {
  readonly attribute: ScalarAttribute;
  readonly input: InputState;
  readonly label: string;
  /** JSON. */
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** A list of strings, each in a row; other lists are edited as JSON. */
export function ListInput({ attribute, input, label, value, onChange }: Props) {
  const texts = useTexts().inputs;
  const written = useWritten(attribute);
  const rows = useRef<HTMLOListElement>(null);
  const strings = stringsIn(value);
  const set = (next: readonly string[]): void => onChange(next.length === 0 ? '' : JSON.stringify(next, undefined, 2));
  const order = useOrder(strings ?? [], set);
  if (strings === undefined) return <TextInput attribute={attribute} input={input} value={value} onChange={onChange} />;
  const add = (): void => {
    set([...strings, '']);
    requestAnimationFrame(() => rows.current?.querySelector<HTMLElement>('li:last-child input')?.focus());
  };
  return (
    <fieldset
      className="group"
      aria-label={label}
      id={input.id}
      tabIndex={-1}
      disabled={input.disabled}
      aria-describedby={input['aria-describedby']}
    >
      <ol className="links" ref={rows}>
        {strings.map((text, index) => (
          <OrderedItem key={index} order={order} index={index} label={texts.row(label, index + 1)} className="row">
            {(buttons) => (
              <>
                <input
                  type="text"
                  {...written}
                  aria-label={texts.row(label, index + 1)}
                  value={text}
                  onKeyDown={(event) => {
                    if (event.key !== 'Enter') return;
                    // The form must not be sent.
                    event.preventDefault();
                    add();
                  }}
                  onChange={({ target }) => set(strings.with(index, target.value))}
                />
                {buttons}
              </>
            )}
          </OrderedItem>
        ))}
      </ol>
      <button type="button" onClick={add}>
        {texts.addRow}
      </button>
    </fieldset>
  );
}
