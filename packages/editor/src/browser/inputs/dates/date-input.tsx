import { parseDate, parseDateTime, parseTime, type CalendarDate, type CalendarDateTime } from '@internationalized/date';
import { CalendarDays } from 'lucide-react';
import { useMemo, useState, type FocusEvent, type KeyboardEvent, type ReactNode } from 'react';
import {
  Button,
  DateInput as Segments,
  DatePicker,
  DateSegment,
  FieldError,
  Group,
  Label,
} from 'react-aria-components/DatePicker';
import { TimeField } from 'react-aria-components/TimeField';
import { useTexts } from '../../language/language.js';
import type { DateKind } from '../../model/scalars.js';
import { MonthPopover } from './month-popover.js';

interface Props {
  readonly kind: DateKind;
  /** The smallest part of a time that can be written. */
  readonly granularity?: 'minute' | 'second';
  /** What is shown above it; absent: it is labelled otherwise. */
  readonly label?: string;
  readonly 'aria-labelledby'?: string;
  readonly 'aria-describedby'?: string;
  readonly 'aria-invalid'?: boolean;
  readonly id?: string;
  /** That of its field, in a form whose fields are read when it is sent. */
  readonly name?: string;
  /** `2030-01-31`, `09:30:00` or `2030-01-31T09:30:00`; absent: the field keeps it. */
  readonly value?: string;
  readonly defaultValue?: string;
  readonly disabled?: boolean;
  readonly required?: boolean;
  /** Is told a text of the kind of `value`; empty: nothing is set. */
  readonly onChange?: (value: string) => void;
}

/**
 * A date, a time, or both, whose parts are written as in the language of the editor: browsers write them in their own.
 */
export function DateInput(props: Props) {
  const { kind, granularity = 'second', label, value, defaultValue = '', onChange, ...others } = props;
  const { disabled = false, required = false, 'aria-invalid': isInvalid, ...field } = others;
  const texts = useTexts().rules;
  const [kept, keep] = useState(defaultValue);
  const text = value ?? kept;
  const change = (changed: { toString: () => string } | null): void => {
    const written = changed?.toString() ?? '';
    keep(written);
    onChange?.(written);
  };
  // What is half written would be forgotten with each new value.
  const time = useMemo(() => (kind === 'time' ? read(parseTime, text) : null), [kind, text]);
  const date = useMemo(
    () =>
      kind === 'time' ? null : read<CalendarDate | CalendarDateTime>(kind === 'day' ? parseDate : parseDateTime, text),
    [kind, text],
  );
  const shared = {
    ...field,
    className: 'date',
    isDisabled: disabled,
    isRequired: required,
    ...(isInvalid !== undefined && { isInvalid }),
    // A part that was deleted does not leave the former value behind what is shown.
    onBlur: ({ currentTarget }: FocusEvent) => {
      if ((time ?? date) !== null && currentTarget.querySelector('[data-placeholder]') !== null) change(null);
    },
  };
  const segments = <Segments>{(segment) => <DateSegment segment={segment} />}</Segments>;
  const around = (control: ReactNode) => (
    <>
      {label !== undefined && <Label>{label}</Label>}
      {control}
      {required && <FieldError className="issue">{texts.required}</FieldError>}
    </>
  );
  const control =
    kind === 'time' ? (
      <TimeField {...shared} granularity={granularity} value={time} onChange={change}>
        {around(segments)}
      </TimeField>
    ) : (
      <DatePicker {...shared} granularity={kind === 'day' ? 'day' : granularity} value={date} onChange={change}>
        {around(
          <Group>
            {segments}
            <Button>
              <CalendarDays size={16} aria-hidden="true" />
            </Button>
          </Group>,
        )}
        <MonthPopover />
      </DatePicker>
    );
  return (
    <div className="contents" onKeyDownCapture={press}>
      {control}
    </div>
  );
}

/** As browsers do for Enter in a field: it submits the form by its first button for that. */
function press({ key, target }: KeyboardEvent): void {
  if (key !== 'Enter' || !(target instanceof HTMLElement) || !target.matches('[role=spinbutton]')) return;
  const form = target.closest('form');
  const button = form?.querySelector<HTMLButtonElement>('[type=submit]');
  if (button?.disabled === false) form?.requestSubmit(button);
}

/** The value of a text; null if it is none. */
function read<T>(parse: (text: string) => T, text: string): T | null {
  try {
    return parse(text);
  } catch {
    return null;
  }
}
