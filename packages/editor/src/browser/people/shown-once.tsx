import { useTexts } from '../language/language.js';
import { Dialog } from '../shell/dialog.js';

interface Props {
  readonly title: string;
  readonly text: string;
  /** Of the value. */
  readonly label: string;
  readonly value: string;
  readonly onClose: () => void;
}

/** A secret that is not shown again. */
export function ShownOnce({ title, text, label, value, onClose }: Props) {
  const texts = useTexts();
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{text}</p>
      <label>
        {label}
        <input readOnly value={value} onFocus={({ target }) => target.select()} />
      </label>
      <div className="actions">
        {/* Browsers let encrypted pages alone write to the clipboard. */}
        {isSecureContext && (
          <button type="button" className="primary" onClick={() => void navigator.clipboard.writeText(value)}>
            {texts.tokens.copy}
          </button>
        )}
        <button type="button" onClick={onClose}>
          {texts.common.close}
        </button>
      </div>
    </Dialog>
  );
}
