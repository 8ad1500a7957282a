import { Choice } from '../inputs/choice.js';
import { useTexts } from '../language/language.js';
import { pageSizes, pagesOf, type LibraryState } from '../model/library/library-state.js';
import { PageButtons } from '../shell/commands/page-buttons.js';

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
    <PageButtons
      label={texts.files.pages}
      page={page}
      last={total === undefined ? undefined : pagesOf(total, pageSize)}
      hasNext={hasNext}
      onPage={(next) => onChange({ page: next })}
    >
      <Choice
        label={texts.files.perPage}
        value={String(pageSize)}
        onChange={(size) => onChange({ pageSize: Number(size), page: 1 })}
        options={pageSizes.map((size) => ({ value: String(size), label: String(size) }))}
      />
    </PageButtons>
  );
}
