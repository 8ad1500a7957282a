/** Writes a number and its noun as a language does: `counter('en')(2, 'entry', 'entries')`. */
export const counter = (code: string) => {
  const rules = new Intl.PluralRules(code);
  return (count: number, one: string, many: string): string =>
    `${count.toLocaleString(code)} ${rules.select(count) === 'one' ? one : many}`;
};
