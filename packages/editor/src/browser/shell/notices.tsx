import { messageOf } from '../language/message-of.js';
import { X } from 'lucide-react';
import { createContext, use, useCallback, useState, type ReactNode } from 'react';
import {
  Text,
  UNSTABLE_Toast as Toast,
  UNSTABLE_ToastContent as ToastContent,
  UNSTABLE_ToastQueue as ToastQueue,
  UNSTABLE_ToastRegion as ToastRegion,
} from 'react-aria-components/Toast';
import { useTexts } from '../language/language.js';

export type Notice = Message | { readonly kind: 'failed'; readonly error: unknown };

interface Message {
  readonly kind: 'done' | 'failed';
  readonly text: string;
  /** What the user can do about it. */
  readonly action?: { readonly label: string; readonly run: () => void };
}

/** Milliseconds for which a result is shown that can be undone. */
const UNDO_MS = 20_000;
/** Milliseconds for which a result is shown that needs nothing of the user. */
const SHOWN_MS = 6000;

const Context = createContext<(notice: Notice | undefined) => void>(() => undefined);

const WithdrawContext = createContext<(notice: Notice) => void>(() => undefined);

/** Shows the result of the last action; screen readers announce it. */
export function NoticeProvider({ children }: { readonly children: ReactNode }) {
  const texts = useTexts();
  const [queue] = useState(() => new ToastQueue<Message>({ maxVisibleToasts: 1 }));
  const show = useCallback(
    (notice: Notice | undefined): void => {
      queue.clear();
      if (notice === undefined) return;
      if ('error' in notice) {
        queue.add({ kind: 'failed', text: messageOf(texts, notice.error) });
        return;
      }
      const timeout = notice.action === undefined ? SHOWN_MS : UNDO_MS;
      queue.add(notice, notice.kind === 'done' ? { timeout } : {});
    },
    [queue, texts],
  );
  const withdraw = useCallback(
    (notice: Notice): void => {
      for (const { key, content } of queue.visibleToasts) if (content === notice) queue.close(key);
    },
    [queue],
  );
  return (
    <Context value={show}>
      <WithdrawContext value={withdraw}>{children}</WithdrawContext>
      <ToastRegion queue={queue} className="notices">
        {({ toast }) => (
          <Toast toast={toast} className={`notice ${toast.content.kind}`}>
            <ToastContent>
              <Text slot="title">{toast.content.text}</Text>
            </ToastContent>
            {toast.content.action !== undefined && (
              <button
                type="button"
                onClick={() => {
                  queue.close(toast.key);
                  toast.content.action?.run();
                }}
              >
                {toast.content.action.label}
              </button>
            )}
            <button
              type="button"
              className="quiet"
              aria-label={texts.common.closeMessage}
              onClick={() => queue.close(toast.key)}
            >
              <X size={16} aria-hidden="true" />
            </button>
          </Toast>
        )}
      </ToastRegion>
    </Context>
  );
}

export const useNotice = (): ((notice: Notice | undefined) => void) => use(Context);

/** Takes a notice away whose time is over, if it is still shown. */
export const useWithdraw = (): ((notice: Notice) => void) => use(WithdrawContext);

/** Why something could not be read or done. */
export function Failure({ error }: { readonly error: unknown }) {
  const texts = useTexts();
  return (
    <p role="alert" className="issue">
      {messageOf(texts, error)}
    </p>
  );
}
