interface Props {
  readonly name: string;
  readonly label: string;
  readonly isOn?: boolean;
  readonly onChange?: (isOn: boolean) => void;
}

/** A box to check in a small form. */
export function Check({ name, label, isOn = false, onChange }: Props) {
  return (
    <label className="check">
      <input type="checkbox" name={name} defaultChecked={isOn} onChange={({ target }) => onChange?.(target.checked)} />
      {label}
    </label>
  );
}
