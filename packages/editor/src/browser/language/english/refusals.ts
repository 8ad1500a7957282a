import { counter } from '../counter.js';

const counted = counter('en');

/** Why the service refuses something. */
export const refusals = {
  of: (name: string, reason: string): string => `${name}: ${reason}`,
  forbidden: 'Your role does not allow this.',
  notFound: 'It does not exist any more, or your role may not see it.',
  changed: 'Somebody else changed this in the meantime. Load it again.',
  tooLarge: 'This is too large.',
  tooMany: 'Too many attempts. Try again in a few minutes.',
  busy: 'The service is busy. Try again in a few seconds.',
  failed: 'The service failed. Those who run it find the reason in its log.',
  unexpected:
    'Something went wrong in the editor. Load the page again; if it happens again, tell those who run this service.',
  several: (count: number): string => `${counted(count, 'value', 'values')} cannot be stored.`,
  wrongType: 'Must be a value of another type',
  targetGone: 'An entry that this one refers to does not exist any more.',
  localeTaken: 'There is a translation into this language already.',
  isPast: 'Choose a time in the future.',
  fileType: (type: string): string => `Files of the type ${type} are not allowed.`,
  invalidImage: 'This file is not a valid image.',
  manyPixels: (count: number): string => `The image has more than ${counted(count, 'pixel', 'pixels')}.`,
  folderTaken: (name: string): string => `There is a folder with this name already: ${name}`,
  noSlash: 'Must not contain a slash',
  noSpaces: 'Must not begin or end with a space',
  folderInside: 'A folder cannot be moved into itself.',
  folderFull: 'The folder is not empty.',
  aboveRole: 'This has more rights than your role.',
  wrongPassword: 'The current password is wrong.',
  samePassword: 'The new password must differ from the current one.',
  differentPasswords: 'The two passwords differ.',
  usedLink: 'This link was used, or it has expired.',
  unconfirmed: 'The email address is not confirmed yet.',
  blocked: 'This account is blocked.',
};
