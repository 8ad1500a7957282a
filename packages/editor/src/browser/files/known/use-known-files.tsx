import { useState, type ReactNode } from 'react';
import { useSession } from '../../api/session.js';
import type { Content } from '../../model/schema.js';
import type { FileRecord } from '../../model/values.js';
import { findKnown } from './find-known.js';
import { KnownFiles } from './known-files.js';

/** What becomes of chosen files: some are uploaded, and in place of others those of the library are taken. */
interface Chosen {
  readonly uploaded: readonly File[];
  readonly known: readonly FileRecord[];
}

interface Question {
  readonly files: readonly FileRecord[];
  /** Undefined: nothing is to be done. */
  readonly answer: (takesKnown: boolean | undefined) => void;
}

/** Asks about files that the library has already, before they are uploaded. */
export function useKnownFiles({ files: { find } }: Pick<Content, 'files'>) {
  const { api } = useSession();
  const [question, setQuestion] = useState<Question>();
  /** Undefined: the user wants none of it. */
  const choose = async (files: readonly File[]): Promise<Chosen | undefined> => {
    // Where that cannot be asked, they are uploaded as ever.
    const known = find ? await findKnown(api, files).catch((): ReadonlyMap<File, FileRecord> => new Map()) : new Map();
    if (known.size === 0) return { uploaded: files, known: [] };
    const same = [...new Map([...known.values()].map((file: FileRecord) => [file.id, file])).values()];
    const takesKnown = await new Promise<boolean | undefined>((answer) => {
      setQuestion({ files: same, answer });
    });
    setQuestion(undefined);
    if (takesKnown === undefined) return undefined;
    return takesKnown
      ? { uploaded: files.filter((file) => !known.has(file)), known: same }
      : { uploaded: files, known: [] };
  };
  const dialog: ReactNode = question && <KnownFiles {...question} />;
  return { choose, dialog };
}
