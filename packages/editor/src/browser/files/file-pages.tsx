import { Choice } from '../inputs/choice.js';
import { useTexts } from '../language/language.js';
import { pageSizes, pagesOf, type LibraryState } from '../model/library/library-state.js';
import { CommandButton } from '../shell/commands/commands.js';

interface Props {
  readonly state: Pick<LibraryState, 'page' | 'pageSize'>;
  /** Undefined: it is not known. */
  readonly total: number | undefined;
  readonly hasNext: boolean;
  readonly onChange: (changes: Partial<LibraryState>) => void;
}

/** The way to the other pages of the library, and how long they are. */
export function FilePages({ state: { page, pageSize }, total, hasNext, onChange }: Props) {
  const texts = useTexts();
  const smallest = Math.min(...pageSizes);
  if (page === 1 && !hasNext && (total ?? 0) <= smallest) return undefined;
  return (
    <nav className="pages" aria-label={texts.files.pages}>
      <CommandButton
        type="button"
        shortcut="previousPage"
        label={texts.keys.labels.previousPage}
        disabled={page === 1}
        onClick={() => onChange({ page: page - 1 })}
      >
        {texts.common.previous}
      </CommandButton>
      <span>{total === undefined ? texts.list.page(page) : texts.list.pageOf(page, pagesOf(total, pageSize))}</span>
      <CommandButton
        type="button"
        shortcut="nextPage"
        label={texts.keys.labels.nextPage}
        disabled={!hasNext}
        onClick={() => onChange({ page: page + 1 })}
      >
        {texts.common.next}
      </CommandButton>
      <Choice
        label={texts.files.perPage}
        value={String(pageSize)}
        onChange={(size) => onChange({ pageSize: Number(size), page: 1 })}
        options={pageSizes.map((size) => ({ value: String(size), label: String(size) }))}
      />
    </nav>
  );
}
