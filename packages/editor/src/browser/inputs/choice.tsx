import { ChevronDown } from 'lucide-react';
import { FieldError } from 'react-aria-components/FieldError';
import { Button, Label, ListBox, ListBoxItem, Popover, Select, SelectValue } from 'react-aria-components/Select';
import { useTexts } from '../language/language.js';
import { explainValidity } from '../small-forms/explain-validity.js';

export interface Option {
  readonly value: string;
  readonly label: string;
  /** The language of the label, if it is not that of the page. */
  readonly lang?: string;
  /** How many there are of it. */
  readonly count?: number | undefined;
}

interface Props {
  readonly options: readonly Option[];
  /** What is shown above it; absent: it is labelled otherwise. */
  readonly label?: string;
  readonly 'aria-label'?: string;
  readonly 'aria-labelledby'?: string;
  readonly 'aria-describedby'?: string;
  readonly 'aria-invalid'?: boolean;
  readonly id?: string;
  readonly className?: string;
  /** That of its field, in a form whose fields are read when it is sent. */
  readonly name?: string;
  /** The chosen value; absent: the choice keeps it. */
  readonly value?: string;
  readonly defaultValue?: string;
  /** What is shown while none of the options is chosen. */
  readonly placeholder?: string;
  readonly disabled?: boolean;
  readonly required?: boolean;
  readonly onChange?: (value: string) => void;
}

/** One of several options, from a list that opens. */
export function Choice(props: Props) {
  const { options, label, id, className, value, disabled = false, required = false, onChange, ...others } = props;
  const { 'aria-invalid': isInvalid = false, ...select } = others;
  const { rules } = useTexts();
  const chosen = options.some((option) => option.value === value) ? value : null;
  return (
    <Select
      {...select}
      {...(value !== undefined && { value: chosen })}
      className={className === undefined ? 'choice' : `choice ${className}`}
      isDisabled={disabled}
      isRequired={required}
      // Absent, it is what the browser finds.
      {...(isInvalid && { isInvalid })}
      onChange={(key) => onChange?.(String(key))}
    >
      {label !== undefined && <Label>{label}</Label>}
      <Button {...(id !== undefined && { id })}>
        <SelectValue />
        <ChevronDown size={16} aria-hidden="true" />
      </Button>
      {/* Where a form explains its values itself, this one has no message. */}
      <FieldError className="issue" elementType="p">
        {({ validationDetails }) => explainValidity(validationDetails, {}, rules)}
      </FieldError>
      <Popover className="choices" offset={2}>
        <ListBox items={options}>
          {({ value, label, lang, count }) => (
            <ListBoxItem id={value} textValue={label} lang={lang}>
              {label}
              {count !== undefined && <span className="quiet-text"> {count}</span>}
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </Select>
  );
}
