import type { EditorPage } from './editor-page.js';

/** What a page looks like, without what depends on fonts and on the version of a browser. */
export interface Picture {
  /**
   * A line for each landmark, heading, control, image and frame around others that can be seen, in their order: its
   * role, its name, and for fields their side.
   */
  readonly outline: string;
  /**
   * What nobody should see: texts that are cut off, controls over each other, what is beside the screen or too small to
   * hit.
   */
  readonly flaws: readonly string[];
}

// Tests know no types of browsers.
type Any = any; // oxlint-disable-line typescript/no-explicit-any

/** Runs in the page. */
function look(): Picture {
  const { document, getComputedStyle, innerWidth } = globalThis as Any;
  const root = [...document.querySelectorAll('.dialog, .choices')].at(-1) ?? document.body;
  // What is around the content is the same on each page: it is in the picture of the home page, and of pages without
  // content.
  const drawn = root.querySelector('.recent') === null ? (root.querySelector('main') ?? root) : root;
  const boxOf = (element: Any) => element.getBoundingClientRect();
  const isVisible = (element: Any): boolean => {
    const { width, height } = boxOf(element);
    // Or for screen readers alone.
    const isHidden = element.closest('[aria-hidden=true], [style*=clip-path]') !== null;
    return (
      !isHidden &&
      width > 1 &&
      height > 1 &&
      element.checkVisibility({ visibilityProperty: true, opacityProperty: true })
    );
  };
  const styleOf = (element: Any) => getComputedStyle(element);
  const ancestorsOf = (element: Any): readonly Any[] =>
    element.parentElement === null ? [] : [element.parentElement, ...ancestorsOf(element.parentElement)];
  const tidy = (text: string | null | undefined): string =>
    (text ?? '')
      .replaceAll(/\s+/g, ' ')
      .replaceAll(/[\da-f-]{36}/g, 'uuid')
      .replaceAll(/_[\da-f]{10}\b/g, '_hash')
      .replaceAll(/[A-Z][a-z]{2} \d{1,2}, \d{4}, \d{1,2}:\d{2} [AP]M/g, 'time')
      .trim()
      .slice(0, 60);
  const nameOf = (element: Any): string => {
    const labels = element.labels ?? [];
    const by = (element.getAttribute('aria-labelledby') ?? '')
      .split(' ')
      .map((id: string) => document.getElementById(id)?.textContent ?? '')
      .join(' ');
    const named = element.getAttribute('aria-label') ?? element.getAttribute('alt') ?? (by === '' ? undefined : by);
    return tidy(named ?? [...labels][0]?.textContent ?? (isLandmark(element) ? '' : element.textContent));
  };
  const isLandmark = (element: Any): boolean => element.matches('nav, main, aside, header, table, ul, form');
  const controls = 'a[href], button, input, select, textarea, [contenteditable=true]';
  const describe = (element: Any): string => `${element.tagName.toLowerCase()} "${nameOf(element)}"`;

  const parts = `nav, main, aside, h1, h2, h3, th, img, legend, [role=option], ${controls}`;
  const isFrame = (element: Any): boolean => {
    const { borderTopWidth, borderLeftWidth } = styleOf(element);
    return ![borderTopWidth, borderLeftWidth].includes('0px') && element.querySelector(parts) !== null;
  };
  const outline = [...drawn.querySelectorAll('*')]
    .filter((element) => isVisible(element) && (element.matches(parts) || isFrame(element)))
    .map((element) => {
      if (!element.matches(parts)) return 'frame';
      const { left, right } = boxOf(element);
      const middle = (left + right) / 2 / innerWidth;
      const side =
        (right - left) / innerWidth > 0.6 ? 'full' : middle < 0.4 ? 'left' : middle > 0.6 ? 'right' : 'middle';
      const isPlaced = element.matches('nav, main, aside, textarea, [contenteditable=true]:not([role=spinbutton])');
      const state = element.matches(':disabled') ? ' disabled' : '';
      return `${describe(element)}${state}${isPlaced ? ` ${side}` : ''}`;
    });

  const isScrolled = (element: Any): boolean => !['visible', ''].includes(styleOf(element).overflowX);
  const floats = (element: Any): Any =>
    [element, ...ancestorsOf(element)].find((one) => ['fixed', 'sticky'].includes(styleOf(one).position));
  /** What selects a file lies over its image. */
  const picks = (one: Any, other: Any): boolean =>
    [one, other].some((element) => element.closest('.pick') !== null) && one.closest('li') === other.closest('li');
  const flaws: string[] = [];
  if (/Something went wrong in the editor/.test(document.body.innerText)) flaws.push('an unexpected error is shown');
  if (document.documentElement.scrollWidth > innerWidth) flaws.push('the page is wider than the screen');
  if (root.scrollWidth > root.clientWidth + 1) flaws.push('the page or the dialog is wider than its frame');
  const seen = [...root.querySelectorAll('*')].filter(
    (element) => isVisible(element) && element.closest('svg, .skip') === null,
  );
  for (const element of seen) {
    const { left, right, top, bottom } = boxOf(element);
    const text = boxOf(element.closest('.page') ?? element);
    if (top < text.top - 1 || bottom > text.bottom + 1 || left < text.left - 1 || right > text.right + 1)
      flaws.push(`${describe(element)} is beside its text`);
    if ((left < -1 || right > innerWidth + 1) && !ancestorsOf(element).some(isScrolled))
      flaws.push(`${describe(element)} is beside the screen`);
    const { overflowX, textOverflow } = styleOf(element);
    const isCut = element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 0;
    const hasText = [...element.childNodes].some((node) => node.nodeType === 3 && tidy(node.textContent) !== '');
    if (isCut && hasText && ['hidden', 'clip'].includes(overflowX) && textOverflow !== 'ellipsis')
      flaws.push(`${describe(element)} is cut off`);
  }
  const hit = seen.filter((element) => element.matches(controls));
  for (const [at, element] of hit.entries()) {
    const box = boxOf(element);
    const range = document.createRange();
    range.selectNodeContents(element);
    const text = range.getBoundingClientRect();
    if (element.matches('button') && (text.right > box.right + 1 || text.left < box.left - 1))
      flaws.push(`the text of ${describe(element)} is wider than it`);
    if (element.matches('button') && Math.min(box.width, box.height) < 24)
      flaws.push(`${describe(element)} is smaller than 24 pixels`);
    for (const next of hit.slice(at + 1)) {
      if (element.contains(next) || floats(element) !== floats(next) || picks(element, next)) continue;
      const other = boxOf(next);
      const width = Math.min(box.right, other.right) - Math.max(box.left, other.left);
      const height = Math.min(box.bottom, other.bottom) - Math.max(box.top, other.top);
      if (width > 2 && height > 2) flaws.push(`${describe(element)} lies over ${describe(next)}`);
    }
  }
  return { outline: outline.join('\n'), flaws };
}

/** What can be seen of a page now. */
export const takePicture = async (page: EditorPage): Promise<Picture> =>
  (await page.evaluate(`(${look.toString()})()`)) as Picture;

/**
 * What can be seen of a page at rest. A new size of the screen reaches what floats, such as the list of a search, only
 * with an event after it: its old place is no flaw of the page.
 */
export const takePictureAtRest = async (page: EditorPage): Promise<Picture> => {
  const flawless = `(() => {
    const picture = (${look.toString()})();
    return picture.flaws.length === 0 && picture;
  })()`;
  return page.waitFor(flawless).catch(() => takePicture(page)) as Promise<Picture>;
};

/** Counts in the page the requests that have no answer yet. */
export const countRequests = `{
  const send = fetch;
  globalThis.pending = 0;
  globalThis.fetch = (...request) => {
    pending += 1;
    return send(...request).finally(() => { pending -= 1; });
  };
}`;

/** Waits until a page has all answers, and shows them. */
export const settle = (page: EditorPage): Promise<unknown> =>
  page.waitFor(`new Promise((resolve) => {
    const draw = () => document.body.innerHTML;
    const before = draw();
    const isLoading = () => pending > 0 || document.querySelector('.loading, [aria-busy=true]') !== null;
    setTimeout(() => resolve(!isLoading() && draw() === before), 150);
  })`);
