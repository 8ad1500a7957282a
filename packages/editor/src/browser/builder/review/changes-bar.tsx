import { useEffect, useState } from 'react';
import { useTexts } from '../../language/language.js';
import type { DefinitionChange } from '../../model/builder/edit.js';
import { ReviewDialog } from './review-dialog.js';

interface Props {
  readonly changes: readonly DefinitionChange[];
  readonly onDiscard: () => void;
  readonly onWritten: () => void;
}

/** What was changed and is not written yet. */
export function ChangesBar({ changes, onDiscard, onWritten }: Props) {
  const texts = useTexts().builder;
  const [isReviewing, setReviewing] = useState(false);
  useEffect(() => {
    const warn = (event: BeforeUnloadEvent): void => event.preventDefault();
    addEventListener('beforeunload', warn);
    return () => removeEventListener('beforeunload', warn);
  }, []);
  return (
    <div className="selection" role="region" aria-label={texts.changes}>
      <strong className="grow">{texts.changed(changes.length)}</strong>
      <button type="button" onClick={onDiscard}>
        {texts.discard}
      </button>
      <button type="button" className="primary" onClick={() => setReviewing(true)}>
        {texts.review}
      </button>
      {isReviewing && <ReviewDialog changes={changes} onClose={() => setReviewing(false)} onWritten={onWritten} />}
    </div>
  );
}
