import { isLocalized, type Definition } from './models.js';

/** What the builder says of the entries of a type. */
export interface TypeOptions {
  readonly draftAndPublish: boolean;
  /** Changes of published entries can be prepared; needs drafts. */
  readonly workingCopies: boolean;
  readonly localized: boolean;
  /** For how many days deleted entries are kept; undefined: not at all. */
  readonly trash: number | undefined;
}

/** The days that a new type keeps deleted entries for. */
export const KEPT_DAYS = 30;

/** Those of a new type: nothing is published or lost by one click. */
export const newTypeOptions: TypeOptions = {
  draftAndPublish: true,
  workingCopies: true,
  localized: false,
  trash: KEPT_DAYS,
};

export const typeOptionsOf = ({ options, pluginOptions }: Definition): TypeOptions => ({
  draftAndPublish: options?.draftAndPublish === true,
  workingCopies: options?.workingCopies === true,
  localized: isLocalized(pluginOptions),
  trash: options?.trash,
});

/** The options of a definition as its file has them, with those of a form; others stay. */
export function withTypeOptions(
  former: Definition['options'],
  { draftAndPublish, workingCopies, trash }: TypeOptions,
): NonNullable<Definition['options']> {
  const { workingCopies: _copies, trash: _trash, ...others } = former ?? {};
  return {
    ...others,
    draftAndPublish,
    ...(draftAndPublish && workingCopies && { workingCopies }),
    ...(trash !== undefined && { trash }),
  };
}
