import type { Mail } from '../../contract/plugin.js';

/** @param url the page that accepts the code; without one the mail contains only the code */
export const resetMail = (email: string, code: string, url: string | undefined): Mail => ({
  to: email,
  subject: 'Reset your password',
  text: [
    'Someone, probably you, requested a new password for this address.',
    url === undefined ? `The code to set it is: ${code}` : `Set it here: ${withParameter(url, 'code', code)}`,
    `${thing(url)} is valid for one hour and can be used once. If it was not you, ignore this mail.`,
  ].join('\n\n'),
});

/** @param url the page that accepts the code, with the code; without one the mail contains only the code */
export const invitationMail = (email: string, code: string, url: string | undefined): Mail => ({
  to: email,
  subject: 'You are invited',
  text: [
    'An account was made for you. Only its password is missing.',
    url === undefined ? `The code to set it is: ${code}` : `Set it here: ${url}`,
    `${thing(url)} is valid for seven days and can be used once. If you expected no invitation, ignore this mail.`,
  ].join('\n\n'),
});

export const confirmationMail = (email: string, code: string, url: string | undefined): Mail => ({
  to: email,
  subject: 'Confirm your address',
  text: [
    'Thank you for registering. Please confirm that this address is yours:',
    url === undefined ? `The code is: ${code}` : withParameter(url, 'confirmation', code),
    `${thing(url)} is valid for one day and can be used once. If it was not you, ignore this mail.`,
  ].join('\n\n'),
});

const thing = (url: string | undefined): string => (url === undefined ? 'The code' : 'The link');

/** Mails contain only URLs of the settings, because URLs of requests could be anyone's. */
function withParameter(address: string, name: string, value: string): string {
  const url = new URL(address);
  url.searchParams.set(name, value);
  return url.href;
}
