import { spawn, type ChildProcess } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Readable, Writable } from 'node:stream';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** The browser of this machine; undefined: there is none. */
export const chromium: string | undefined = (process.env['PATH'] ?? '')
  .split(path.delimiter)
  .flatMap((folder) => names.map((name) => path.join(folder, name)))
  .find(isExecutable);

/** A page in a headless browser. */
export interface BrowserPage {
  /** Evaluates an expression in the page. */
  evaluate(expression: string): Promise<unknown>;
  /**
   * Waits until an expression is truthy, and returns its value; the page may navigate meanwhile.
   * @throws Error after a minute, unless `patience` says otherwise
   */
  waitFor(expression: string, patience?: number): Promise<unknown>;
  /** Waits until all requests of the page have ended, so that none of them asks for what the test takes away next. */
  settled(): Promise<void>;
  /** Selects everything where the cursor is, and types in its place. */
  retype(text: string): Promise<void>;
  /** Types where the cursor is. */
  insert(text: string): Promise<void>;
  /** Presses Enter, Tab, Escape, Backspace, the arrow down, or a letter with Ctrl. */
  press(
    key: 'Enter' | 'Tab' | 'Escape' | 'Backspace' | 'ArrowDown' | 'ArrowLeft' | 'ArrowRight' | 'b' | 'k' | 's' | 'z',
  ): Promise<void>;
  /**
   * Copies what a program would write, by types such as `text/html`, and pastes it where the cursor is; with Shift
   * without its form.
   */
  paste(clipboard: Readonly<Record<string, string>>, isPlain?: boolean): Promise<void>;
  /** Clicks at a point of the screen, also in a frame. */
  clickAt(point: { readonly x: number; readonly y: number }): Promise<void>;
  /** Drags files of the machine to a point of the screen, and drops them. */
  dropFiles(point: { readonly x: number; readonly y: number }, files: readonly string[]): Promise<void>;
  /** How wide it is in pixels, and whether it is night. */
  look(width: number, scheme: 'light' | 'dark'): Promise<void>;
  /** A PNG. */
  screenshot(): Promise<Buffer>;
  /** A command of the DevTools protocol, for what is only measured. */
  command(method: string, params?: object): Promise<any>; // oxlint-disable-line typescript/no-explicit-any
  /** The requested URLs. */
  readonly requested: readonly string[];
  /** The errors of the page. */
  readonly mistakes: readonly string[];
  close(): Promise<void>;
}

/** As the protocol counts keys that are held. */
const CONTROL = 2;
const SHIFT = 8;
/** As the protocol says what a drag may do. */
const COPY = 1;
const keys = {
  Enter: { code: 'Enter', windowsVirtualKeyCode: 13, text: '\r' },
  Tab: { code: 'Tab', windowsVirtualKeyCode: 9 },
  Escape: { code: 'Escape', windowsVirtualKeyCode: 27 },
  Backspace: { code: 'Backspace', windowsVirtualKeyCode: 8 },
  ArrowDown: { code: 'ArrowDown', windowsVirtualKeyCode: 40 },
  ArrowLeft: { code: 'ArrowLeft', windowsVirtualKeyCode: 37 },
  ArrowRight: { code: 'ArrowRight', windowsVirtualKeyCode: 39 },
  b: { code: 'KeyB', windowsVirtualKeyCode: 66, modifiers: CONTROL },
  k: { code: 'KeyK', windowsVirtualKeyCode: 75, modifiers: CONTROL },
  s: { code: 'KeyS', windowsVirtualKeyCode: 83, modifiers: CONTROL },
  z: { code: 'KeyZ', windowsVirtualKeyCode: 90, modifiers: CONTROL },
} as const;
/** What the protocol says of an expression whose page was left before it had a value. */
const NAVIGATED = 'Inspected target navigated or closed';
/** Milliseconds to wait for something to appear, on a busy machine. */
const TIMEOUT_MS = 60_000;

/**
 * Opens an address in a browser of its own, which prefers a language, spoken to in the DevTools protocol over pipes.
 */
export async function openPage(browser: string, url: string, language = 'en-US'): Promise<BrowserPage> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'browser-'));
  const options = ['--headless=new', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--no-first-run'];
  const own = [
    '--remote-debugging-pipe',
    `--user-data-dir=${folder}`,
    `--accept-lang=${language}`,
    '--window-size=1400,900',
  ];
  const child = spawn(browser, [...options, ...own], {
    // It keeps files of its own in several folders there.
    env: { ...process.env, HOME: folder },
    stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
  });
  const { send, on } = speak(child);
  const { targetId } = await send('Target.createTarget', { url: 'about:blank' });
  const { sessionId } = await send('Target.attachToTarget', { targetId, flatten: true });
  const page = (method: string, params: object = {}): Promise<any> => send(method, params, String(sessionId)); // oxlint-disable-line typescript/no-explicit-any
  const requested: string[] = [];
  const mistakes: string[] = [];
  const open = new Set<unknown>();
  on('Network.requestWillBeSent', ({ request, requestId }) => {
    requested.push(String(request.url));
    open.add(requestId);
  });
  for (const end of ['loadingFinished', 'loadingFailed'])
    on(`Network.${end}`, ({ requestId }) => open.delete(requestId));
  on('Runtime.exceptionThrown', ({ exceptionDetails }) => mistakes.push(JSON.stringify(exceptionDetails)));
  on('Log.entryAdded', ({ entry }) => entry.level === 'error' && mistakes.push(`${entry.text} ${entry.url ?? ''}`));
  // A page with unsaved texts asks before it is left, and nothing goes on until somebody answers.
  on('Page.javascriptDialogOpening', () => void page('Page.handleJavaScriptDialog', { accept: true }));
  for (const domain of ['Page', 'Network', 'Runtime', 'Log']) await page(`${domain}.enable`);
  await page('Page.navigate', { url });
  const evaluate = async (expression: string): Promise<unknown> => {
    const { result } = await page('Runtime.evaluate', { expression, returnByValue: true, awaitPromise: true });
    return result.value;
  };
  const press = async (key: object): Promise<void> => {
    for (const type of ['keyDown', 'keyUp']) await page('Input.dispatchKeyEvent', { type, ...key });
  };
  return {
    evaluate,
    command: page,
    requested,
    mistakes,
    waitFor: async (expression, patience = TIMEOUT_MS) => {
      const end = Date.now() + patience;
      while (Date.now() < end) {
        const value = await evaluate(expression).catch((error: Error) => {
          if (error.message !== NAVIGATED) throw error;
        });
        if (value) return value;
        await new Promise((resolve) => {
          setTimeout(resolve, 50);
        });
      }
      throw new Error(`The page never came to: ${expression}\n${mistakes.join('\n')}`);
    },
    settled: async () => {
      const end = Date.now() + TIMEOUT_MS;
      while (open.size > 0 && Date.now() < end) await evaluate('new Promise(requestAnimationFrame)');
    },
    insert: async (text) => void (await page('Input.insertText', { text })),
    press: (key) => press({ ...keys[key], key }),
    retype: async (text) => {
      const commands = ['selectAll'];
      await press({ key: 'a', code: 'KeyA', windowsVirtualKeyCode: 65, modifiers: CONTROL, commands });
      await page('Input.insertText', { text });
      // Editors close brackets by themselves.
      await press({ key: 'End', code: 'End', windowsVirtualKeyCode: 35, modifiers: CONTROL + SHIFT });
      await press({ key: 'Delete', code: 'Delete', windowsVirtualKeyCode: 46 });
    },
    clickAt: async (point) => {
      for (const type of ['mousePressed', 'mouseReleased'])
        await page('Input.dispatchMouseEvent', { type, ...point, button: 'left', clickCount: 1 });
    },
    paste: async (clipboard, isPlain = false) => {
      const expression = `{
        const write = (event) => {
          for (const [type, text] of Object.entries(${JSON.stringify(clipboard)})) event.clipboardData.setData(type, text);
          event.preventDefault();
          event.stopImmediatePropagation();
        };
        addEventListener('copy', write, { capture: true, once: true });
        document.execCommand('copy');
      }`;
      await page('Runtime.evaluate', { expression, userGesture: true });
      const key = { key: 'v', code: 'KeyV', windowsVirtualKeyCode: 86 };
      // The browser knows these keys by itself.
      if (isPlain) await press({ ...key, modifiers: CONTROL + SHIFT });
      else await press({ ...key, modifiers: CONTROL, commands: ['paste'] });
    },
    dropFiles: async (point, files) => {
      const data = { items: [], files, dragOperationsMask: COPY };
      for (const type of ['dragEnter', 'dragOver', 'drop'])
        await page('Input.dispatchDragEvent', { type, ...point, data });
    },
    look: async (width, scheme) => {
      const size = { width, height: 900, deviceScaleFactor: 1, mobile: false };
      await page('Emulation.setDeviceMetricsOverride', size);
      await page('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value: scheme }] });
    },
    screenshot: async () => Buffer.from(String((await page('Page.captureScreenshot')).data), 'base64'),
    close: async () => {
      const gone = new Promise((resolve) => {
        child.once('exit', resolve);
      });
      await send('Browser.close');
      await gone;
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

interface Protocol {
  // Answers have as many shapes as there are methods.
  readonly send: (method: string, params?: object, sessionId?: string) => Promise<any>; // oxlint-disable-line typescript/no-explicit-any
  readonly on: (event: string, listen: (params: any) => void) => void; // oxlint-disable-line typescript/no-explicit-any
}

/** Messages are JSON texts that end with a zero byte. */
function speak(child: ChildProcess): Protocol {
  const [, , , input, output] = child.stdio as unknown as [null, null, null, Writable, Readable];
  const waiting = new Map<number, { resolve: (result: unknown) => void; reject: (error: Error) => void }>();
  const listeners = new Map<string, (params: unknown) => void>();
  let last = 0;
  let rest = '';
  output.setEncoding('utf8').on('data', (chunk: string) => {
    const messages = (rest + chunk).split('\0');
    rest = messages.pop() ?? '';
    for (const text of messages) {
      const { id, result, error, method, params } = JSON.parse(text);
      if (id === undefined) listeners.get(method)?.(params);
      else if (error === undefined) waiting.get(id)?.resolve(result);
      else waiting.get(id)?.reject(new Error(error.message));
      waiting.delete(id);
    }
  });
  return {
    send: (method, params = {}, sessionId) =>
      new Promise((resolve, reject) => {
        last += 1;
        waiting.set(last, { resolve, reject });
        input.write(`${JSON.stringify({ id: last, method, params, ...(sessionId && { sessionId }) })}\0`);
      }),
    on: (event, listen) => void listeners.set(event, listen),
  };
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
