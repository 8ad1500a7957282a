import slugify from '@sindresorhus/slugify';
import { useEffect, useId, useRef, useState, type ReactNode } from 'react';
import { useForm, type FieldsProps } from '../form/form-context.js';
import { componentOf, shownAttributes, titleAttribute, type PartsAttribute } from '../model/schema.js';
import { newPart, withValue, type Part } from '../model/values.js';
import { useTexts } from '../language/language.js';
import { OrderedItem, useOrder, type Order } from './ordered-item.js';

interface Props {
  readonly attribute: PartsAttribute;
  readonly value: readonly Part[];
  readonly path: string;
  readonly onChange: (value: readonly Part[]) => void;
  /** Those of a component, which can have components too. */
  readonly fields: (props: FieldsProps) => ReactNode;
}

/** Components: one, a list, or a dynamic zone with several kinds. */
export function PartsInput({ attribute, value, path, onChange, fields }: Props) {
  const texts = useTexts().inputs;
  const { content, isLocked } = useForm();
  const { multiple, components, max } = attribute;
  const isFull = value.length >= (multiple ? (max ?? Infinity) : 1);
  const [added, setAdded] = useState<string>();
  const order = useOrder(value, onChange);
  const add = (component: string): void => {
    const key = `${path}.${crypto.randomUUID()}`;
    setAdded(key);
    onChange([...value, newPart(content, component, key)]);
  };
  return (
    <>
      <ol className="parts">
        {value.map((part, index) => (
          <PartCard
            key={part.key}
            order={order}
            index={index}
            part={part}
            path={multiple ? `${path}.${index}` : path}
            isNumbered={multiple}
            // Where nothing can be changed, the button that opens it cannot be pressed.
            startsOpen={!multiple || isLocked || part.key === added}
            isAdded={part.key === added}
            onChange={(next) => onChange(value.with(index, next))}
            fields={fields}
          />
        ))}
      </ol>
      {!isFull && (
        <div className="row">
          {components.map((uid) => (
            <button key={uid} type="button" onClick={() => add(uid)}>
              {texts.add(componentOf(content, uid).displayName)}
            </button>
          ))}
        </div>
      )}
    </>
  );
}

/** Characters of the title of a component that are shown with its name. */
const MAX_TITLE = 50;

function PartCard(props: {
  readonly order: Order;
  readonly index: number;
  readonly part: Part;
  readonly path: string;
  /** It is in a list. */
  readonly isNumbered: boolean;
  readonly startsOpen: boolean;
  /** The user has just added it, and goes on with its first field. */
  readonly isAdded: boolean;
  readonly onChange: (part: Part) => void;
  readonly fields: Props['fields'];
}) {
  const { content, issues, isNew } = useForm();
  const { part, path } = props;
  const [isOpen, setOpen] = useState(props.startsOpen);
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  const { isAdded } = props;
  useEffect(() => {
    if (isAdded) box.current?.querySelector<HTMLElement>('input, textarea, button, [role=spinbutton]')?.focus();
  }, [isAdded]);
  const component = componentOf(content, part.component);
  const title = part.values[titleAttribute(component)?.name ?? ''];
  const name = props.isNumbered ? `${component.displayName} ${props.index + 1}` : component.displayName;
  const text = typeof title === 'string' ? title : '';
  const shown = text.length > MAX_TITLE ? `${text.slice(0, MAX_TITLE)}…` : text;
  const label = text === '' ? name : `${name}: ${shown}`;
  // What has to be corrected must be seen.
  if (!isOpen && issues.some((issue) => issue.path.startsWith(`${path}.`))) setOpen(true);
  return (
    <OrderedItem order={props.order} index={props.index} label={name} className="part">
      {(buttons) => (
        <>
          <div className="row">
            <button
              type="button"
              className="quiet grow"
              aria-expanded={isOpen}
              aria-controls={id}
              onClick={() => setOpen(!isOpen)}
            >
              <span aria-hidden="true">{isOpen ? '▾' : '▸'}</span> {label}
            </button>
            {buttons}
          </div>
          <div id={id} ref={box} hidden={!isOpen}>
            {isOpen &&
              props.fields({
                attributes: shownAttributes(component, isNew),
                values: part.values,
                path: `${path}.`,
                onChange: (attribute, value) =>
                  props.onChange({
                    ...part,
                    values: withValue(
                      component,
                      part.values,
                      attribute,
                      value,
                      part.id === undefined ? slugify : undefined,
                    ),
                  }),
              })}
          </div>
        </>
      )}
    </OrderedItem>
  );
}
