import { labelOf } from '../model/schema.js';
import type { Texts } from './texts.js';

/** What is wrong with one value, or without a path with what was sent as a whole. */
export interface Reason {
  readonly path?: readonly (string | number)[] | undefined;
  readonly message?: string | undefined;
  readonly rule?: string | undefined;
  /** What the rule allows. */
  readonly limit?: string | number | undefined;
}

/** Why the service refuses something, with the codes that the editor asks for. Code of a project has only a message. */
export interface Refusal {
  readonly message: string;
  readonly status?: number | undefined;
  readonly code?: string | undefined;
  /** What the code allows. */
  readonly limit?: string | number | undefined;
  readonly issues?: readonly Reason[] | undefined;
}

type Explain = (texts: Texts, limit: string | number) => string;

/** The rules of values. The service shows its own words where one is missing. */
export const ruleTexts: Readonly<Record<string, Explain>> = {
  required: ({ rules }) => rules.required,
  notNull: ({ rules }) => rules.required,
  notEmpty: ({ rules }) => rules.required,
  component: ({ rules }) => rules.required,
  unique: ({ rules }) => rules.taken,
  type: ({ refusals }) => refusals.wrongType,
  minLength: ({ rules }, limit) => rules.atLeastCharacters(Number(limit)),
  maxLength: ({ rules }, limit) => rules.atMostCharacters(Number(limit)),
  min: ({ rules }, limit) => rules.atLeast(limit),
  max: ({ rules }, limit) => rules.atMost(limit),
  minItems: ({ rules }, limit) => rules.atLeastElements(Number(limit)),
  maxItems: ({ rules }, limit) => rules.atMostElements(Number(limit)),
  integer: ({ rules }) => rules.integer,
  enum: ({ rules }) => rules.enumeration,
  regex: ({ rules }, limit) => rules.match(String(limit)),
  email: ({ rules }) => rules.email,
  target: ({ refusals }) => refusals.targetGone,
  writable: ({ refusals }) => refusals.forbidden,
  ownRights: ({ refusals }) => refusals.aboveRole,
  repeats: ({ refusals }) => refusals.differentPasswords,
  noSlash: ({ refusals }) => refusals.noSlash,
  noOuterSpace: ({ refusals }) => refusals.noSpaces,
  folderName: ({ refusals }, limit) => refusals.folderTaken(String(limit)),
  folderPlace: ({ refusals }) => refusals.folderInside,
};

/** The codes of errors that say more than their status. */
export const codeTexts: Readonly<Record<string, Explain>> = {
  forbidden: ({ refusals }) => refusals.forbidden,
  policyFailed: ({ refusals }) => refusals.forbidden,
  notFound: ({ refusals }) => refusals.notFound,
  changedDefinition: ({ refusals }) => refusals.changed,
  localeTaken: ({ refusals }) => refusals.localeTaken,
  emailTaken: ({ rules }) => rules.taken,
  usernameTaken: ({ rules }) => rules.taken,
  accountTaken: ({ rules }) => rules.taken,
  pastTime: ({ refusals }) => refusals.isPast,
  folderNotEmpty: ({ refusals }) => refusals.folderFull,
  refusedFileType: ({ refusals }, limit) => refusals.fileType(String(limit)),
  invalidImage: ({ refusals }) => refusals.invalidImage,
  tooManyPixels: ({ refusals }, limit) => refusals.manyPixels(Number(limit)),
  wrongCredentials: ({ account }) => account.wrong,
  wrongSecondFactor: ({ account }) => account.secondFactor.wrong,
  wrongPasskey: ({ account }) => account.passkeys.refused,
  expiredSetup: ({ account }) => account.secondFactor.expired,
  setUpAlready: ({ account }) => account.secondFactor.isSetUp,
  tooManyPasskeys: ({ account }, limit) => account.passkeys.many(Number(limit)),
  knownPasskey: ({ account }) => account.passkeys.known,
  onlyPasskey: ({ account }) => account.passkeys.only,
  noPasskeysHere: ({ account }) => account.passkeys.wrongAddress,
  wrongPassword: ({ refusals }) => refusals.wrongPassword,
  samePassword: ({ refusals }) => refusals.samePassword,
  differentPasswords: ({ refusals }) => refusals.differentPasswords,
  usedCode: ({ refusals }) => refusals.usedLink,
  usedInvitation: ({ refusals }) => refusals.usedLink,
  disabledProvider: ({ account }) => account.providers.off,
  incompleteLogIn: ({ account }) => account.providers.incomplete,
  silentProvider: ({ account }) => account.providers.silent,
  onlyWithProvider: ({ account }) => account.providers.only,
  noRole: ({ account }) => account.providers.noRole,
  noRegistration: ({ account }) => account.providers.noAccount,
  addressTaken: ({ account }) => account.providers.addressTaken,
  noAddress: ({ account }) => account.providers.noAddress,
  unverifiedAddress: ({ account }) => account.providers.unverified,
  unconfirmedAccount: ({ refusals }) => refusals.unconfirmed,
  blockedAccount: ({ refusals }) => refusals.blocked,
};

/** Statuses whose reason is always the one that they name. */
const statusTexts: Readonly<Record<number, Explain>> = {
  401: ({ account }) => account.hasEnded,
  412: ({ refusals }) => refusals.changed,
  413: ({ refusals }) => refusals.tooLarge,
  429: ({ refusals }) => refusals.tooMany,
  500: ({ refusals }) => refusals.failed,
  503: ({ refusals }) => refusals.busy,
};

/** Why the service refuses something, in the language of the user. */
export function explain(texts: Texts, refusal: Refusal): string {
  const { status = 0, code = '', limit = '', issues = [] } = refusal;
  const [only, ...others] = issues;
  const whole = (statusTexts[status] ?? codeTexts[code])?.(texts, limit);
  if (only === undefined) return whole ?? refusal.message;
  return others.length > 0 ? (whole ?? texts.refusals.several(issues.length)) : explainOne(texts, refusal, only);
}

/** Each reason, such as those for which an entry was not published at its time. */
export const explainAll = (texts: Texts, refusal: Refusal): string =>
  reasonsIn(texts, refusal)
    .map(({ path, message }) => named(texts, path, message))
    .join(' · ') || explain(texts, refusal);

/** Its reasons with the paths of their values, whose names a form shows beside them. */
export const reasonsIn = (
  texts: Texts,
  refusal: Refusal,
): readonly { readonly path: readonly (string | number)[]; readonly message: string }[] =>
  (refusal.issues ?? []).map((issue) => ({ path: issue.path ?? [], message: textOf(texts, refusal, issue) }));

const explainOne = (texts: Texts, refusal: Refusal, issue: Reason): string =>
  named(texts, issue.path ?? [], textOf(texts, refusal, issue));

function textOf(texts: Texts, { status = 0, code = '', limit = '', message }: Refusal, issue: Reason): string {
  const byRule = ruleTexts[issue.rule ?? '']?.(texts, issue.limit ?? '');
  return byRule ?? (statusTexts[status] ?? codeTexts[code])?.(texts, limit) ?? issue.message ?? message;
}

/** With the name of the value, which in a batch comes after the position of its operation. */
function named(texts: Texts, path: readonly (string | number)[], text: string): string {
  const isOfBatch = path[0] === 'operations';
  const position = isOfBatch ? `operations[${path[1]}]: ` : '';
  const label = addressOf(isOfBatch ? path.slice(3) : path);
  return position + (label === '' ? text : texts.refusals.of(labelOf(label), text));
}

/** `links[0].url` */
const addressOf = (path: readonly (string | number)[]): string =>
  path.map((name, index) => (/^\d+$/.test(String(name)) ? `[${name}]` : index === 0 ? name : `.${name}`)).join('');
