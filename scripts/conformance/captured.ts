/** Values of earlier answers, by the names that scenarios give them. */
export type Captured = Readonly<Record<string, unknown>>;

const WHOLE = /^\{\{[^{}]+\}\}$/;
const PLACES = /\{\{[^{}]+\}\}/g;
const conversions: Readonly<Record<string, (value: unknown) => unknown>> = { str: String, num: Number };

/** Takes the values that a step names out of the body of its answer; what is not there is not captured. */
export function capture(paths: Readonly<Record<string, string>>, body: unknown): Captured {
  const found = Object.entries(paths).map(([name, place]) => [name, valueAt(body, place.split('.'))] as const);
  return Object.fromEntries(found.filter(([, value]) => value !== undefined && value !== null));
}

function valueAt(value: unknown, [key, ...rest]: readonly string[]): unknown {
  if (key === undefined) return value;
  return typeof value === 'object' && value !== null ? valueAt(Reflect.get(value, key), rest) : undefined;
}

/**
 * Puts captured values into a template, at any depth: `{{id}}` as a whole is the value itself, within a text its text;
 * `{{id|str}}` and `{{id|num}}` convert it. Missing values stay unchanged and are reported to `miss`.
 */
export function fillIn(template: unknown, captured: Captured, miss: (name: string) => void = () => {}): unknown {
  if (typeof template === 'string') return fillInText(template, captured, miss);
  if (Array.isArray(template)) return template.map((part: unknown) => fillIn(part, captured, miss));
  if (typeof template !== 'object' || template === null) return template;
  return Object.fromEntries(Object.entries(template).map(([key, part]) => [key, fillIn(part, captured, miss)]));
}

function fillInText(text: string, captured: Captured, miss: (name: string) => void): unknown {
  const valueOf = (place: string): unknown => {
    const [name = '', conversion = ''] = place.slice(2, -2).trim().split('|');
    const value = captured[name];
    if (value !== undefined) return conversions[conversion]?.(value) ?? value;
    miss(name);
    return place;
  };
  if (WHOLE.test(text)) return valueOf(text);
  return text.replaceAll(PLACES, (place) => String(valueOf(place)));
}
