import type { Element } from 'hast';

export type Declarations = ReadonlyMap<string, string>;

/**
 * The declarations of a `style` attribute, or of a rule. The browser cannot be asked: its policy refuses styles that
 * are not the editor's.
 */
export function readDeclarations(text: string): Declarations {
  // Addresses can have semicolons in them, and nothing that is read here has an address.
  const plain = text.replaceAll(/&quot;|\/\*[^]*?\*\//g, '').replaceAll(/url\([^)]*\)/gi, 'none');
  return new Map(
    plain.split(';').flatMap((declaration): [string, string][] => {
      const [, name, value] = /^\s*([\w-]+)\s*:\s*([^]*?)\s*$/.exec(declaration) ?? [];
      return name === undefined || value === undefined ? [] : [[name.toLowerCase(), value.toLowerCase()]];
    }),
  );
}

/** The rules of a style sheet that choose elements by one class alone: those that sheets write for their cells. */
export function readClasses(css: string): ReadonlyMap<string, Declarations> {
  const rules = css.replaceAll(/<!--|-->|\/\*[^]*?\*\//g, '').matchAll(/([^{}]+)\{([^{}]*)\}/g);
  return new Map(
    [...rules].flatMap(([, selectors = '', body = '']) =>
      selectors.split(',').flatMap((selector): [string, Declarations][] => {
        const [, name] = /^\s*\w*\.([\w-]+)\s*$/.exec(selector) ?? [];
        return name === undefined ? [] : [[name, readDeclarations(body)]];
      }),
    ),
  );
}

export const classesOf = ({ properties: { className } }: Element): readonly string[] =>
  Array.isArray(className) ? className.map(String) : [];

/** What an element looks like, as far as it says so itself or by its classes. */
export function styleOf(element: Element, classes: ReadonlyMap<string, Declarations>): Declarations {
  const { style } = element.properties;
  const own = typeof style === 'string' ? readDeclarations(style) : [];
  return new Map([...classesOf(element).flatMap((name) => [...(classes.get(name) ?? [])]), ...own]);
}
