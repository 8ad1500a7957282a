import { useTexts } from '../language/language.js';
import { wayTo, type Folder } from '../model/library/folders.js';
import type { Drag } from './use-drag.js';

interface Props {
  readonly folders: readonly Folder[];
  readonly folder: number | null;
  readonly onOpen: (id: number | null) => void;
  readonly drag?: Drag | undefined;
}

/** The way from the top to the open folder. */
export function FolderWay({ folders, folder, onOpen, drag }: Props) {
  const texts = useTexts();
  const way = [{ id: null, name: texts.shell.files }, ...wayTo(folders, folder)];
  return (
    <nav aria-label={texts.folders.way}>
      <ol className="way">
        {way.map(({ id, name }, index) => (
          <li key={id ?? 'top'}>
            <button
              type="button"
              aria-current={index === way.length - 1 ? 'page' : undefined}
              onClick={() => onOpen(id)}
              {...drag?.target(id)}
            >
              {name}
            </button>
          </li>
        ))}
      </ol>
    </nav>
  );
}
