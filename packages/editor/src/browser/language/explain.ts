import { labelOf } from '../model/schema.js';
import type { Texts } from './texts.js';

type Explain = (texts: Texts, ...parts: readonly string[]) => string;

/**
 * The sentences with which the service refuses what editors do. They are those of Strapi v4, whose errors name a value
 * by its path, but not the rule that it breaks. What is before a match is the name of the value.
 */
export const sentences: readonly (readonly [sentence: RegExp, explain: Explain])[] = [
  [/^This attribute must be unique$| already taken$/, ({ rules }) => rules.taken],
  [/ (?:must be defined|cannot be null)\.?$| is a required field$/, ({ rules }) => rules.required],
  [/ must be at least (\d+) characters$/, ({ rules }, count) => rules.atLeastCharacters(Number(count))],
  [/ must be at most (\d+) characters$/, ({ rules }, count) => rules.atMostCharacters(Number(count))],
  [/ must be greater than or equal to (\S+)$/, ({ rules }, min = '') => rules.atLeast(min)],
  [/ must be less than or equal to (\S+)$/, ({ rules }, max = '') => rules.atMost(max)],
  [/ field must have at least (\d+) items$/, ({ rules }, count) => rules.atLeastElements(Number(count))],
  [/ field must have less than or equal to (\d+) items$/, ({ rules }, count) => rules.atMostElements(Number(count))],
  [/ must be (?:an integer$|between |a 64-bit integer)/, ({ rules }) => rules.integer],
  [/ must be one of the following values: /, ({ rules }) => rules.enumeration],
  [/ must match the following: "\/(.*)\/"$/, ({ rules }, pattern = '') => rules.match(pattern)],
  [/ must be a valid email$/, ({ rules }) => rules.email],
  [/ must be a `\w+` type, but /, ({ refusals }) => refusals.wrongType],
  [/^\d+ relation\(s\) of type .* do not exist$|^Invalid relations$/, ({ refusals }) => refusals.targetGone],
  [/^(\d+) errors occurred$/, ({ refusals }, count) => refusals.several(Number(count))],
  [/^Forbidden$|^Policy Failed$| must not be written$/, ({ refusals }) => refusals.forbidden],
  [/^(?:Entity |User |Role )?[Nn]ot [Ff]ound$/, ({ refusals }) => refusals.notFound],
  [/ was changed since it was read$/, ({ refusals }) => refusals.changed],
  [/^locale is already used$/, ({ refusals }) => refusals.localeTaken],
  [/ must be in the future$/, ({ refusals }) => refusals.isPast],
  [/^file\.notFound$/, ({ files }) => files.wasDeleted],
  [/^folder\.notFound$/, ({ folders }) => folders.wasDeleted],
  [/^A folder with this name already exists: (.*)$/, ({ refusals }, name = '') => refusals.folderTaken(name)],
  [/ cannot contain slashes$/, ({ refusals }) => refusals.noSlash],
  [/ cannot start or end with a whitespace$/, ({ refusals }) => refusals.noSpaces],
  [/^folder cannot be moved inside itself$/, ({ refusals }) => refusals.folderInside],
  [/^A folder is not empty: /, ({ refusals }) => refusals.folderFull],
  [/^Files of the type (\S+) are not allowed/, ({ refusals }, type = '') => refusals.fileType(type)],
  [/^File is not a valid image$/, ({ refusals }) => refusals.invalidImage],
  [/^The image has more than (\d+) pixels$/, ({ refusals }, count) => refusals.manyPixels(Number(count))],
  [/^Invalid identifier or password$/, ({ account }) => account.wrong],
  [/^Invalid code of the second factor$/, ({ account }) => account.secondFactor.wrong],
  [/^The setup of the second factor has expired: /, ({ account }) => account.secondFactor.expired],
  [/^The second factor is set up already$/, ({ account }) => account.secondFactor.isSetUp],
  [/^Invalid passkey$/, ({ account }) => account.passkeys.refused],
  [/^There are (\d+) passkeys already: /, ({ account }, count) => account.passkeys.many(Number(count))],
  [/^This passkey is there already, /, ({ account }) => account.passkeys.known],
  [/^This is the only passkey: /, ({ account }) => account.passkeys.only],
  [/^Browsers make no passkeys at this address: /, ({ account }) => account.passkeys.wrongAddress],
  [/^Your account at the provider has no role here$/, ({ account }) => account.providers.noRole],
  [/^Register action is actually not available\.$/, ({ account }) => account.providers.noAccount],
  [/^Email is already taken\.$/, ({ account }) => account.providers.addressTaken],
  [/^Email was not available\.$/, ({ account }) => account.providers.noAddress],
  [/^Email is not verified\.$/, ({ account }) => account.providers.unverified],
  [/^The provider does not answer, or refuses /, ({ account }) => account.providers.silent],
  [/^This provider is disabled$/, ({ account }) => account.providers.off],
  [/^This account logs in with its provider$/, ({ account }) => account.providers.only],
  [
    // What begins so is of the library that speaks with providers.
    /^access_denied$|^Grant: |^The provider (?:refused|did not return a valid id token)$|^(?:No|Invalid) access_token\.$/,
    ({ account }) => account.providers.incomplete,
  ],
  [/^The provided current password is invalid$/, ({ refusals }) => refusals.wrongPassword],
  [/^Your new password must be different than /, ({ refusals }) => refusals.samePassword],
  [/^Passwords do not match$/, ({ refusals }) => refusals.differentPasswords],
  [/^This link was used or has expired|^Incorrect code provided$/, ({ refusals }) => refusals.usedLink],
  [/^.*which you may (?:not do yourself|do only with a rule)$/, ({ refusals }) => refusals.aboveRole],
  [/^Your account email is not confirmed$/, ({ refusals }) => refusals.unconfirmed],
  [/^Your account has been blocked by /, ({ refusals }) => refusals.blocked],
];

/** Statuses whose reason is always the one that they name. */
const statuses: Readonly<Record<number, Explain>> = {
  401: ({ account }) => account.hasEnded,
  412: ({ refusals }) => refusals.changed,
  413: ({ refusals }) => refusals.tooLarge,
  429: ({ refusals }) => refusals.tooMany,
  500: ({ refusals }) => refusals.failed,
  503: ({ refusals }) => refusals.busy,
};

/** The place of an operation in a batch, which some sentences begin with. */
const operation = /^operations\[\d+\]\S*: /;

/** Why the service did not publish an entry at its time: the reasons of all values. */
export const explainAll = (texts: Texts, message: string): string =>
  message
    .split('; ')
    .map((reason) => explain(texts, reason))
    .join(' · ');

/**
 * Says in the language of the user why the service refused something; what only code of the project says, as the
 * service says it.
 * @param isNamed the form shows which value it is about
 */
export function explain(texts: Texts, message: string, { status = 0, isNamed = false } = {}): string {
  const [place = ''] = operation.exec(message) ?? [];
  const sentence = message.slice(place.length);
  const always = statuses[status];
  if (always !== undefined) return place + always(texts);
  for (const [pattern, reason] of sentences) {
    const match = pattern.exec(sentence);
    if (match === null) continue;
    const [name, text] = [sentence.slice(0, match.index), reason(texts, ...match.slice(1))];
    return place + (name === '' || isNamed ? text : texts.refusals.of(labelOf(name), text));
  }
  return message;
}
