import { useTexts } from '../language/language.js';
import { createContext, use, useCallback, useEffect, useState, type ReactNode } from 'react';

interface Notice {
  readonly text: string;
  readonly kind: 'done' | 'failed';
}

/** Milliseconds for which a result is shown that needs nothing of the user. */
const SHOWN_MS = 6000;

const Context = createContext<(notice: Notice | undefined) => void>(() => undefined);

/** Shows the result of the last action; screen readers announce it. */
export function NoticeProvider({ children }: { readonly children: ReactNode }) {
  const texts = useTexts().common;
  const [notice, setNotice] = useState<Notice>();
  const show = useCallback((next: Notice | undefined) => setNotice(next), []);
  useEffect(() => {
    if (notice?.kind !== 'done') return undefined;
    const timer = setTimeout(() => setNotice(undefined), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [notice]);
  return (
    <Context value={show}>
      {children}
      <div className="notices" role="status">
        {notice !== undefined && (
          <p className={`notice ${notice.kind}`}>
            <span>{notice.text}</span>
            <button
              type="button"
              className="quiet"
              aria-label={texts.closeMessage}
              onClick={() => setNotice(undefined)}
            >
              ×
            </button>
          </p>
        )}
      </div>
    </Context>
  );
}

export const useNotice = (): ((notice: Notice | undefined) => void) => use(Context);

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Why something could not be read or done. */
export const Failure = ({ error }: { readonly error: unknown }) => (
  <p role="alert" className="issue">
    {messageOf(error)}
  </p>
);
