import { messageOf } from '../language/message-of.js';
import { useQueryClient } from '@tanstack/react-query';
import { CloudOff, TriangleAlert, type LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { RequestError } from '../api/api.js';
import { useTexts } from '../language/language.js';

interface EmptyProps {
  readonly icon: LucideIcon;
  readonly title: string;
  /** What to do next. */
  readonly children?: ReactNode;
}

/** Instead of what is not there. */
export function Empty({ icon: Icon, title, children }: EmptyProps) {
  return (
    <div className="empty">
      <Icon size={44} strokeWidth={1.25} aria-hidden="true" />
      <p>{title}</p>
      {children}
    </div>
  );
}

/**
 * Instead of what is being read: it appears only if that takes a moment.
 * @param isTable below something that is there already, where an empty area would look like an empty table: its rows
 * are there at once
 */
export function Loading({ isTable = false }: { readonly isTable?: boolean }) {
  const { loading } = useTexts().common;
  return (
    <div className={isTable ? 'loading rows' : 'loading'} role="status">
      <span className="hidden">{loading}</span>
    </div>
  );
}

/** Instead of what could not be read. */
export function Unread({ error }: { readonly error: unknown }) {
  const texts = useTexts();
  const queries = useQueryClient();
  const isOffline = error instanceof RequestError && error.status === 0;
  return (
    <div role="alert">
      <Empty icon={isOffline ? CloudOff : TriangleAlert} title={messageOf(texts, error)}>
        <button
          type="button"
          onClick={() => void queries.refetchQueries({ predicate: ({ state }) => state.status === 'error' })}
        >
          {texts.common.tryAgain}
        </button>
      </Empty>
    </div>
  );
}
