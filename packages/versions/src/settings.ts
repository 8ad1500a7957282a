import {
  isOwnType,
  readSettings,
  rules,
  StartError,
  wrongName,
  type ContentType,
  type Data,
  type Registry,
} from 'content-service/plugin';

const integer = (most: number) => ({
  expected: `an integer from 1 to ${most}`,
  test: (value: unknown): value is number => Number.isInteger(value) && Number(value) >= 1 && Number(value) <= most,
});

const options = {
  /** How many versions of an entry are kept. Each is as large as the entry. */
  keep: integer(100),
  /** For how many days a version is kept after the next one; default: without an end. */
  days: integer(36_500),
  /** How many megabytes the versions of an entry take together. */
  megabytes: integer(100),
  /** The uids of the content types whose entries have versions; default: all of the project. */
  types: rules.strings,
};

export type Settings = ReturnType<typeof parseSettings>;

/**
 * The settings of the plugins file: `{ keep: 20, days: 365, megabytes: 10, types: ['api::article.article'] }`.
 * @throws StartError
 */
export const parseSettings = (config: Data) =>
  readSettings('versions', undefined, ({ read }) => ({ keep: 20, megabytes: 10, ...read(config, options) }));

/** Whether entries of a type have versions. */
export const hasVersions = ({ types }: Pick<Settings, 'types'>, type: Pick<ContentType, 'uid'>): boolean =>
  isOwnType(type) && types?.includes(type.uid) !== false;

/** @throws StartError for a type that the project does not have */
export function checkTypes({ types = [] }: Pick<Settings, 'types'>, { contentTypes }: Registry): void {
  const known = [...contentTypes.values()].filter(isOwnType).map(({ uid }) => uid);
  const unknown = types.find((uid) => !known.includes(uid));
  if (unknown !== undefined)
    throw new StartError(`Plugin versions: config.types: ${wrongName(unknown, 'content type', known)}`);
}
