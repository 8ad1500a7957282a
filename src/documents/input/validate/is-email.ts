/** Letters beyond ASCII, which addresses may have as in yup, with which Strapi v4 checks them. */
const wide = String.raw`\u00a0-\ud7ff\uf900-\ufdcf\ufdf0-\uffef`;
const word = `[a-z\\d!#$%&'*+\\-/=?^_\`{|}~${wide}]+`;
const quoted = String.raw`"(?:[\x01-\x09\x0b\x0c\x0e-\x21\x23-\x5b\x5d-\x7f${wide}]|\\[\x01-\x09\x0b-\x7f${wide}])*"`;
const local = new RegExp(String.raw`^(?:${word}(?:\.${word})*|${quoted})$`, 'i');
// The expression of yup takes exponential time for some domains: these two take the same ones.
const domain = new RegExp(String.raw`^[a-z\d${wide}][a-z\d\-._~${wide}]*[a-z${wide}]$`, 'i');
const dot = new RegExp(String.raw`[a-z\d${wide}]\.[a-z${wide}]`, 'i');

/** Whether a string is valid for an attribute of type `email`. */
export function isEmail(text: string): boolean {
  const at = text.lastIndexOf('@');
  const [name, host] = [text.slice(0, at), text.slice(at + 1)];
  return at > 0 && local.test(name) && domain.test(host) && dot.test(host);
}
