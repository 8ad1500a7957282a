import slugify from '@sindresorhus/slugify';
import { ChevronDown, ChevronRight, ClipboardPaste, Copy, CopyPlus, Plus } from 'lucide-react';
import { useEffect, useId, useRef, useState, type ReactNode } from 'react';
import { ComponentIcon } from '../form/help/component-icon.js';
import { useForm, type FieldsProps } from '../form/form-context.js';
import { copyOfPart } from '../model/copy.js';
import { isOfferedWith } from '../model/help/condition.js';
import { randomName } from '../model/random-name.js';
import { componentOf, shownAttributes, titleAttribute, type PartsAttribute } from '../model/schema.js';
import { newPart, withValue, type Part } from '../model/values.js';
import { useTexts } from '../language/language.js';
import { useNotice } from '../shell/notices.js';
import { keepCopied, useCopied } from './copied-part.js';
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
  const { content, issues, isLocked } = useForm();
  const show = useNotice();
  const { multiple, components, max } = attribute;
  const isFull = value.length >= (multiple ? (max ?? Infinity) : 1);
  const [added, setAdded] = useState<string>();
  /**
   * Those that the user opened or closed; where nothing can be changed, the button that opens one cannot be pressed.
   */
  const [opened, setOpened] = useState<ReadonlyMap<string, boolean>>(new Map());
  const isOpen = ({ key }: Part): boolean => opened.get(key) ?? (!multiple || isLocked || key === added);
  const setAll = (open: boolean): void => setOpened(new Map(value.map(({ key }) => [key, open])));
  const pathOf = (index: number): string => (multiple ? `${path}.${index}` : path);
  // What has to be corrected must be seen.
  const hidden = value.filter(
    (part, index) => !isOpen(part) && issues.some((issue) => issue.path.startsWith(`${pathOf(index)}.`)),
  );
  if (hidden.length > 0) setOpened(new Map([...opened, ...hidden.map(({ key }) => [key, true] as const)]));
  /** The position in front of which the choice of a new one is shown. */
  const [choosesAt, setChoosesAt] = useState<number>();
  const order = useOrder(value, onChange);
  const insert = (index: number, create: (key: string) => Part): void => {
    const key = `${path}.${randomName()}`;
    setAdded(key);
    setChoosesAt(undefined);
    onChange(value.toSpliced(index, 0, create(key)));
  };
  const choice = (index: number) => <NewPart components={components} onAdd={(create) => insert(index, create)} />;
  const isDivided = multiple && !isFull && !isLocked;
  return (
    <>
      {multiple && value.length > 1 && !isLocked && (
        <div className="row all">
          <button type="button" className="quiet" onClick={() => setAll(!value.some(isOpen))}>
            {value.some(isOpen) ? texts.collapseAll : texts.expandAll}
          </button>
        </div>
      )}
      <ol className={isDivided ? 'parts divided' : 'parts'}>
        {value.map((part, index) => {
          const name = nameOf(componentOf(content, part.component).displayName, multiple, index);
          return (
            <PartCard
              key={part.key}
              order={order}
              index={index}
              name={name}
              part={part}
              path={pathOf(index)}
              isOpen={isOpen(part)}
              isAdded={part.key === added}
              before={
                isDivided &&
                (choosesAt === index ? (
                  <div className="row choice-of-new">{choice(index)}</div>
                ) : (
                  <button
                    type="button"
                    className="between"
                    aria-label={texts.addBefore(name)}
                    title={texts.addBefore(name)}
                    onClick={() => setChoosesAt(index)}
                  >
                    <Plus size={14} aria-hidden="true" />
                  </button>
                ))
              }
              onToggle={() => setOpened(new Map([...opened, [part.key, !isOpen(part)]]))}
              onDuplicate={
                multiple && !isFull ? () => insert(index + 1, (key) => copyOfPart(content, part, key)) : undefined
              }
              onCopy={() => {
                keepCopied(copyOfPart(content, part, part.key));
                show({ kind: 'done', text: texts.copied(name) });
              }}
              onChange={(next) => onChange(value.with(index, next))}
              fields={fields}
            />
          );
        })}
      </ol>
      {!isFull && <div className="row">{choice(value.length)}</div>}
    </>
  );
}

const nameOf = (displayName: string, isNumbered: boolean, index: number): string =>
  isNumbered ? `${displayName} ${index + 1}` : displayName;

/** Adds an empty component of one of several kinds, or the one that was copied. */
function NewPart(props: {
  readonly components: readonly string[];
  readonly onAdd: (create: (key: string) => Part) => void;
}) {
  const texts = useTexts().inputs;
  const { content } = useForm();
  const copied = useCopied();
  return (
    <>
      {props.components.map((uid) => {
        const { displayName, icon, description } = componentOf(content, uid);
        return (
          <button
            key={uid}
            type="button"
            className={description === undefined ? undefined : 'described'}
            onClick={() => props.onAdd((key) => newPart(content, uid, key))}
          >
            <ComponentIcon name={icon} />
            <span>
              {texts.add(displayName)}
              {description !== undefined && <span className="quiet-text"> {description}</span>}
            </span>
          </button>
        );
      })}
      {copied !== undefined && props.components.includes(copied.component) && (
        <button type="button" onClick={() => props.onAdd((key) => copyOfPart(content, copied, key))}>
          <ClipboardPaste size={16} aria-hidden="true" />{' '}
          {texts.paste(componentOf(content, copied.component).displayName)}
        </button>
      )}
    </>
  );
}

/** Characters of the title of a component that are shown with its name. */
const MAX_TITLE = 50;

function PartCard(props: {
  readonly order: Order;
  readonly index: number;
  readonly name: string;
  readonly part: Part;
  readonly path: string;
  readonly isOpen: boolean;
  /** The user has just added it, and goes on with its first field. */
  readonly isAdded: boolean;
  /** What is shown above it. */
  readonly before: ReactNode;
  readonly onToggle: () => void;
  /** Undefined: there is no room for another one. */
  readonly onDuplicate: (() => void) | undefined;
  readonly onCopy: () => void;
  readonly onChange: (part: Part) => void;
  readonly fields: Props['fields'];
}) {
  const texts = useTexts().inputs;
  const { content, isNew, uncovered } = useForm();
  const { part, path, name, isOpen } = props;
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  const { isAdded } = props;
  useEffect(() => {
    if (isAdded) box.current?.querySelector<HTMLElement>('input, textarea, button, [role=spinbutton]')?.focus();
  }, [isAdded]);
  const component = componentOf(content, part.component);
  const title = part.values[titleAttribute(component)?.name ?? ''];
  const text = typeof title === 'string' ? title : '';
  const shown = text.length > MAX_TITLE ? `${text.slice(0, MAX_TITLE)}…` : text;
  const label = text === '' ? name : `${name}: ${shown}`;
  const Chevron = isOpen ? ChevronDown : ChevronRight;
  const action = (says: string, Icon: typeof Copy, onClick: () => void) => (
    <button type="button" aria-label={says} title={says} onClick={onClick}>
      <Icon size={16} aria-hidden="true" />
    </button>
  );
  return (
    <OrderedItem
      order={props.order}
      index={props.index}
      label={name}
      className="part"
      actions={
        <>
          {props.onDuplicate !== undefined && action(texts.duplicate(name), CopyPlus, props.onDuplicate)}
          {action(texts.copy(name), Copy, props.onCopy)}
        </>
      }
    >
      {(buttons) => (
        <>
          {props.before}
          <div className="row">
            <button
              type="button"
              className="quiet grow"
              aria-expanded={isOpen}
              aria-controls={id}
              onClick={props.onToggle}
            >
              <Chevron size={16} aria-hidden="true" /> <ComponentIcon name={component.icon} /> {label}
            </button>
            {buttons}
          </div>
          <div id={id} ref={box} hidden={!isOpen}>
            {isOpen && component.description !== undefined && <p className="description">{component.description}</p>}
            {isOpen &&
              props.fields({
                attributes: shownAttributes(component, isNew).filter(
                  isOfferedWith(component, part.values, `${path}.`, uncovered),
                ),
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
