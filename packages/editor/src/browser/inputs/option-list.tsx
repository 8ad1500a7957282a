import { useId, useState, type ComponentProps, type KeyboardEvent, type ReactNode } from 'react';
import { Popover } from 'react-aria-components/Popover';

export interface Option {
  readonly key: string;
  readonly content: ReactNode;
  readonly choose: () => void;
  /** The heading above those that have the same one. */
  readonly group?: string;
}

interface OptionsProps {
  readonly label: string;
  readonly isOpen: boolean;
  /** What the options were searched by. Each search begins at the first option. */
  readonly search: string;
  readonly options: readonly Option[];
  readonly onClose: () => void;
}

interface Options {
  /** The options; undefined if there are none. */
  readonly listbox: ReactNode;
  /** The ids for `aria-controls` and `aria-activedescendant`; undefined while no option is shown. */
  readonly listId?: string;
  readonly activeId?: string;
  /**
   * Moves, chooses or closes by a key of the field, or by another one that stands for it.
   * @returns whether it belongs to the list
   */
  readonly press: (event: KeyboardEvent, key?: string) => boolean;
}

/**
 * Options for a field that keeps the focus. The combobox of React Aria is not used: it hides the rest of the page from
 * screen readers while the focus can still go there.
 * @see https://www.w3.org/WAI/ARIA/apg/patterns/combobox/
 */
export function useOptions({ label, isOpen, search, options, onClose }: OptionsProps): Options {
  const id = useId();
  const groups = [...new Set(options.map(({ group }) => group))];
  const ordered = groups.flatMap((group) => options.filter((option) => option.group === group));
  const [moved, setMoved] = useState({ search, index: 0 });
  if (moved.index !== 0 && (!isOpen || moved.search !== search)) setMoved({ search, index: 0 });
  const active = Math.min(moved.index, options.length - 1);
  const move = (by: number): void => {
    const index = (active + by + options.length) % Math.max(options.length, 1);
    setMoved({ search, index });
    document.getElementById(`${id}-${index}`)?.scrollIntoView({ block: 'nearest' });
  };
  const take = (option: Option | undefined): void => {
    if (option === undefined) return;
    onClose();
    option.choose();
  };
  const keys: Readonly<Record<string, () => void>> = {
    ArrowDown: () => move(1),
    ArrowUp: () => move(-1),
    Enter: () => take(ordered[active]),
    Escape: onClose,
  };
  const isShown = isOpen && options.length > 0;
  const show = (option: Option, index: number): ReactNode => (
    <div
      key={option.key}
      id={`${id}-${index}`}
      role="option"
      aria-selected={index === active}
      data-focused={index === active || undefined}
      onClick={() => take(option)}
    >
      {option.content}
    </div>
  );
  return {
    listbox: isShown && (
      <div role="listbox" id={id} aria-label={label}>
        {groups.map((group) => {
          const shown = ordered.flatMap((option, index) => (option.group === group ? [show(option, index)] : []));
          if (group === undefined) return shown;
          return (
            <div key={group} role="group" aria-label={group}>
              <div className="group" aria-hidden="true">
                {group}
              </div>
              {shown}
            </div>
          );
        })}
      </div>
    ),
    ...(isShown && { listId: id, activeId: `${id}-${active}` }),
    press: (event, key = event.key) => {
      if (!isOpen || !Object.hasOwn(keys, key)) return false;
      event.preventDefault();
      // A dialog around it stays open.
      event.stopPropagation();
      keys[key]?.();
      return true;
    },
  };
}

interface Props
  extends
    OptionsProps,
    Pick<ComponentProps<typeof Popover>, 'className' | 'triggerRef' | 'getTargetRect' | 'maxHeight' | 'shouldFlip'> {
  /** What is said above the options. */
  readonly hint?: ReactNode;
}

/** Options in a popover at their field. */
export function useOptionList({ label, isOpen, search, options, hint, onClose, ...place }: Props) {
  const { listbox, ...list } = useOptions({ label, isOpen, search, options, onClose });
  return {
    ...list,
    /** To be shown anywhere: it is placed at the field. */
    list: isOpen && (
      <Popover
        className="choices"
        isOpen
        isNonModal
        placement="bottom start"
        offset={4}
        onOpenChange={onClose}
        {...place}
      >
        {/* A press would take the focus from the field. */}
        <div onMouseDown={(event) => event.preventDefault()}>
          {hint}
          {listbox}
        </div>
      </Popover>
    ),
  };
}
