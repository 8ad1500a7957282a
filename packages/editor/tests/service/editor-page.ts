import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { source as axe } from 'axe-core';
import { chromium, openPage, type BrowserPage } from '../../../../tests/support/browser.js';
import type { TestService } from '../../../../src/testing.js';

/** A PNG of one pixel. */
const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** The editor in a browser, used as people do. */
export interface EditorPage extends BrowserPage {
  /** Clicks the first visible element with this text, as soon as it can be clicked. */
  readonly click: (selector: string, text?: string) => Promise<unknown>;
  /** Chooses in the menu of what is done less often with an entry. */
  readonly act: (label: string) => Promise<unknown>;
  /** What that menu offers; nothing where there is none. */
  readonly actions: () => Promise<unknown>;
  /** Types into a field; a date into each of its parts. */
  readonly fill: (selector: string, value: string) => Promise<unknown>;
  /** Opens a choice, and takes the option with this value. */
  readonly choose: (selector: string, value: string) => Promise<unknown>;
  /** Types into a field of the form of an entry, or chooses there. */
  readonly type: (path: string, value: string) => Promise<unknown>;
  /** Selects all of a text in the form of an entry. */
  readonly selectAll: (path: string) => Promise<unknown>;
  /** Puts the cursor at the end of an element of a text. */
  readonly placeCursor: (selector: string) => Promise<unknown>;
  /** Goes to an address of the editor. */
  readonly goTo: (address: string) => Promise<unknown>;
  /** Searches an entry in the field of a relation, and chooses it. */
  readonly relate: (path: string, title: string) => Promise<unknown>;
  readonly heading: (text: string) => Promise<unknown>;
  readonly notice: (text: string) => Promise<unknown>;
  /** Chooses an image of the machine. */
  readonly chooseFile: (selector: string, name: string) => Promise<unknown>;
  /** Drags images of the machine to an element. */
  readonly dropFile: (selector: string, ...names: readonly string[]) => Promise<unknown>;
  /** Drags an empty folder of the machine to an element. */
  readonly dropFolder: (selector: string) => Promise<unknown>;
  /** The findings of axe that keep people from using the page. */
  readonly findBarriers: () => Promise<unknown>;
  /** Its findings on a phone in dark colours, and on a wide screen in light ones. */
  readonly findBarriersInLooks: () => Promise<readonly unknown[]>;
  readonly logIn: (identifier: string, password: string) => Promise<void>;
}

/** The field of a form. */
export const field = (path: string): string => `[id="field-${path}"]`;

/** The part of `2030-01-31T09:30:00` that people write into a segment of a date picker. */
function partOf(value: string, segment: string, isTwelveHours: boolean): string {
  const [, year = '', month = '', day = ''] = /^(\d{4})-(\d\d)-(\d\d)/.exec(value) ?? [];
  const [, hour = '', minute = '', second = '00'] = /(\d\d):(\d\d)(?::(\d\d))?/.exec(value) ?? [];
  const shown = isTwelveHours ? String(Number(hour) % 12 || 12) : hour;
  const dayPeriod = Number(hour) < 12 ? 'AM' : 'PM';
  return { year, month, day, hour: shown, minute, second, dayPeriod }[segment] ?? '';
}

const quoted = (text: string): string => JSON.stringify(text);

/**
 * Slate takes over a selection within 100 ms of its event, which a busy page sends with the next frame. Until then,
 * whatever it draws restores the one that it knows.
 */
const whenTakenOver = (condition: string): string =>
  `requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => done(${condition}), 150)));`;

/** The bytes of a file with this name: those with other names are other files. */
const bytesOf = (name: string): Buffer => Buffer.concat([Buffer.from(pixel, 'base64'), Buffer.from(name)]);

/** A file that is chosen. */
const transfer = (name: string): string => `(() => {
  const bytes = Uint8Array.from(atob('${bytesOf(name).toString('base64')}'), (letter) => letter.charCodeAt(0));
  const transfer = new DataTransfer();
  transfer.items.add(new File([bytes], ${quoted(name)}, { type: 'image/png' }));
  return transfer;
})()`;

/** The rules of WCAG 2.2 AA; without their names axe leaves out some, such as that for the size of what is pressed. */
const standards = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/** @param client where it is */
export async function openEditor(
  client: { readonly service: Pick<TestService, 'url'> },
  address = '/admin',
  language?: string,
): Promise<EditorPage> {
  /** The folders of files that were dragged into the page, which reads them when it likes. */
  const dropped: string[] = [];
  const page = await openPage(chromium ?? '', `${client.service.url}${address}`, language);
  const click = (selector: string, text = ''): Promise<unknown> =>
    page.waitFor(`(() => {
      const element = [...document.querySelectorAll(${quoted(selector)})].find((element) =>
        element.textContent.includes(${quoted(text)}) && element.offsetParent !== null && !element.matches(':disabled'));
      element?.click();
      return element !== undefined;
    })()`);
  /** As React notices it. */
  const fillInput = (selector: string, value: string): Promise<unknown> =>
    page.waitFor(`(() => {
      const element = document.querySelector(${quoted(selector)});
      if (element === null || element.matches(':disabled')) return false;
      element.focus();
      Object.getOwnPropertyDescriptor(Object.getPrototypeOf(element), 'value').set.call(element, ${quoted(value)});
      element.dispatchEvent(new Event('input', { bubbles: true }));
      return true;
    })()`);
  const fill = async (selector: string, value: string): Promise<unknown> => {
    await page.waitFor(`document.querySelector(${quoted(selector)}) !== null`);
    const parts = `[...document.querySelector(${quoted(selector)}).closest('.date')
      ?.querySelectorAll('[contenteditable=true]') ?? []]`;
    const names = (await page.evaluate(`${parts}.map(({ dataset }) => dataset.type)`)) as readonly string[];
    if (names.length === 0) return fillInput(selector, value);
    for (const [index, name] of names.entries()) {
      await page.evaluate(`${parts}[${index}].focus()`);
      await page.insert(partOf(value, name, names.includes('dayPeriod')));
    }
    return true;
  };
  const choose = async (selector: string, value: string): Promise<unknown> => {
    await click(`${selector} > button`);
    return click(`[role=option][data-key=${quoted(value)}]`);
  };
  const selectAll = (name: string): Promise<unknown> =>
    page.waitFor(`new Promise((done) => {
      const field = document.querySelector(${quoted(field(name))});
      field.focus();
      document.execCommand('selectAll');
      ${whenTakenOver(`!getSelection().isCollapsed || field.querySelector('[data-slate-placeholder]') !== null`)}
    })`);
  const newFolder = async (): Promise<string> => {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'dropped-'));
    dropped.push(folder);
    return folder;
  };
  const drop = async (selector: string, files: readonly string[]): Promise<void> => {
    const point = await page.waitFor(`(() => {
      const element = document.querySelector(${quoted(selector)});
      element?.scrollIntoView({ block: 'center' });
      const { x, y } = element?.getBoundingClientRect() ?? {};
      return element !== null && { x: x + 5, y: y + 5 };
    })()`);
    await page.dropFiles(point as { readonly x: number; readonly y: number }, files);
  };
  const findBarriers = async (): Promise<unknown> => {
    // What is being read again is pale.
    await page.waitFor(`document.querySelector('[aria-busy=true]') === null`);
    await page.evaluate(axe);
    const rules = JSON.stringify([...standards, 'best-practice']);
    return page.evaluate(`axe.run({ runOnly: ${rules} }).then(({ violations }) => violations
      .filter(({ impact, tags }) => ['serious', 'critical'].includes(impact) || !tags.includes('best-practice'))
      .flatMap(({ id, nodes }) => nodes
        // The user can scroll what is half under a bar.
        .filter(({ any }) => !any.some(({ data }) => data?.messageKey === 'partiallyObscured'))
        .map(({ html }) => id + ': ' + html)))`);
  };
  return {
    ...page,
    click,
    act: async (label) => {
      await click('.more-actions');
      return click('[role=menuitem]', label);
    },
    actions: async () => {
      await page.waitFor(`document.querySelector('form.entry .bar') !== null`);
      if ((await page.evaluate(`document.querySelector('.more-actions') === null`)) === true) return [];
      await click('.more-actions');
      const items = `[...document.querySelectorAll('[role=menuitem]')].map(({ textContent }) => textContent.trim())`;
      const offered = await page.waitFor(`${items}.length > 0 && ${items}`);
      await page.waitFor(`document.activeElement.closest('[role=menu]') !== null`);
      await page.press('Escape');
      await page.waitFor(`document.querySelector('[role=menuitem]') === null`);
      return offered;
    },
    fill,
    choose,
    type: async (path, value) => {
      const selector = quoted(field(path));
      await page.waitFor(`document.querySelector(${selector})?.matches(':enabled, [contenteditable=true], .date > *')`);
      if ((await page.evaluate(`document.querySelector(${selector}).matches('.choice > *')`)) === true)
        return choose(`.choice:has(> ${field(path)})`, value);
      if ((await page.evaluate(`document.querySelector(${selector}).isContentEditable`)) !== true)
        return fill(field(path), value);
      await selectAll(path);
      return page.insert(value);
    },
    selectAll,
    placeCursor: (selector) =>
      page.waitFor(`new Promise((done) => {
        const element = document.querySelector(${quoted(selector)});
        if (element === null) return done(false);
        element.closest('[role=textbox]').focus();
        const range = document.createRange();
        range.selectNodeContents(element);
        range.collapse(false);
        getSelection().removeAllRanges();
        getSelection().addRange(range);
        ${whenTakenOver(`element.contains(getSelection().anchorNode)`)}
      })`),
    goTo: (address) => page.evaluate(`history.pushState(null, '', ${quoted(address)})`),
    heading: (text) => page.waitFor(`document.querySelector('h1')?.textContent === ${quoted(text)}`),
    relate: async (path, title) => {
      const search = `${field(path)} [role=combobox]`;
      // The list closes where the page scrolls, which would be after the text.
      await page.waitFor(`new Promise((done) => {
        document.querySelector(${quoted(search)})?.scrollIntoView({ block: 'center' });
        requestAnimationFrame(() => requestAnimationFrame(() => done(true)));
      })`);
      await fill(search, title);
      await page.waitFor(`(() => {
        const option = [...document.querySelectorAll('[role=option]')].find(
          (option) => option.textContent.includes(${quoted(title)}));
        option?.click();
        return option !== undefined;
      })()`);
    },
    notice: (text) => page.waitFor(`document.querySelector('.notices')?.textContent.includes(${quoted(text)})`),
    chooseFile: (selector, name) =>
      page.waitFor(`(() => {
        const input = document.querySelector(${quoted(selector)});
        if (input === null) return false;
        input.files = ${transfer(name)}.files;
        input.dispatchEvent(new Event('change', { bubbles: true }));
        return true;
      })()`),
    dropFile: async (selector, ...names) => {
      const folder = await newFolder();
      const files = names.map((name) => path.join(folder, name));
      for (const file of files) await writeFile(file, bytesOf(path.basename(file)));
      await drop(selector, files);
    },
    dropFolder: async (selector) => drop(selector, [await newFolder()]),
    close: async () => {
      await page.close();
      for (const folder of dropped) await rm(folder, { recursive: true });
    },
    findBarriers,
    findBarriersInLooks: async () => {
      await page.look(390, 'dark');
      const onPhone = await findBarriers();
      await page.look(1400, 'light');
      return [onPhone, await findBarriers()].flat();
    },
    logIn: async (identifier, password) => {
      await fill('[name=identifier]', identifier);
      await fill('[name=password]', password);
      await click('button', 'Log in');
    },
  };
}
