import { useRef } from 'react';
import { useTexts } from '../../language/language.js';
import { wayTo, type Folder } from '../../model/library/folders.js';
import { useTarget, type Drag } from './drag.js';

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
            <Step id={id} name={name} isOpen={index === way.length - 1} onOpen={onOpen} drag={drag} />
          </li>
        ))}
      </ol>
    </nav>
  );
}

interface StepProps extends Pick<Props, 'onOpen' | 'drag'> {
  readonly id: number | null;
  readonly name: string;
  readonly isOpen: boolean;
}

function Step({ id, name, isOpen, onOpen, drag }: StepProps) {
  const target = useTarget(drag, id, useRef<HTMLButtonElement>(null));
  return (
    <button type="button" aria-current={isOpen ? 'page' : undefined} onClick={() => onOpen(id)} {...target}>
      {name}
    </button>
  );
}
