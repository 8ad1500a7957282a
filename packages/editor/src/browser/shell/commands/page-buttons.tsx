import type { ReactNode } from 'react';
import { useTexts } from '../../language/language.js';
import { CommandButton } from './commands.js';

interface Props {
  /** Of what these are pages, for those who do not see it. */
  readonly label: string;
  /** The first is 1. */
  readonly page: number;
  /** Undefined: it is not known. */
  readonly last: number | undefined;
  readonly hasNext: boolean;
  readonly onPage: (page: number) => void;
  /** What is chosen beside them. */
  readonly children?: ReactNode;
}

/** The way to the pages before and after the one that is shown, by buttons and keys. */
export function PageButtons({ label, page, last, hasNext, onPage, children }: Props) {
  const texts = useTexts();
  return (
    <nav className="pages" aria-label={label}>
      <CommandButton
        type="button"
        shortcut="previousPage"
        label={texts.keys.labels.previousPage}
        disabled={page <= 1}
        onClick={() => onPage(page - 1)}
      >
        {texts.common.previous}
      </CommandButton>
      <span>{last === undefined ? texts.list.page(page) : texts.list.pageOf(page, last)}</span>
      <CommandButton
        type="button"
        shortcut="nextPage"
        label={texts.keys.labels.nextPage}
        disabled={!hasNext}
        onClick={() => onPage(page + 1)}
      >
        {texts.common.next}
      </CommandButton>
      {children}
    </nav>
  );
}
