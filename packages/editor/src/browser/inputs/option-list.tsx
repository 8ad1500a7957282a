import { useId, useState, type ComponentProps, type KeyboardEvent, type ReactNode } from 'react';
import { Popover } from 'react-aria-components/Popover';

export interface Option {
  readonly key: string;
  readonly content: ReactNode;
  readonly choose: () => void;
}

interface Props extends Pick<
  ComponentProps<typeof Popover>,
  'className' | 'triggerRef' | 'getTargetRect' | 'maxHeight' | 'shouldFlip'
> {
  readonly label: string;
  readonly isOpen: boolean;
  /** What the options were searched by. Each search begins at the first option. */
  readonly search: string;
  readonly options: readonly Option[];
  /** What is said above the options. */
  readonly hint?: ReactNode;
  readonly onClose: () => void;
}

interface OptionList {
  /** To be shown anywhere: it is placed at the field. */
  readonly list: ReactNode;
  /** The ids for `aria-controls` and `aria-activedescendant`; undefined while no option is shown. */
  readonly listId?: string;
  readonly activeId?: string;
  /** Moves, chooses or closes by a key of the field, or by another one that stands for it. @returns whether it belongs to the list */
  readonly press: (event: KeyboardEvent, key?: string) => boolean;
}

/**
 * Options for a field that keeps the focus. The combobox of React Aria is not used: it hides the rest of the page from screen readers while
 * the focus can still go there.
 * @see https://www.w3.org/WAI/ARIA/apg/patterns/combobox/
 */
export function useOptionList({ label, isOpen, search, options, hint, onClose, ...place }: Props): OptionList {
  const id = useId();
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
    Enter: () => take(options[active]),
    Escape: onClose,
  };
  const isShown = isOpen && options.length > 0;
  return {
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
          {isShown && (
            <div role="listbox" id={id} aria-label={label}>
              {options.map((option, index) => (
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
              ))}
            </div>
          )}
        </div>
      </Popover>
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
