/** What a program writes to the clipboard, in the form that it writes, and what arrives. */
export interface Clipboard {
  readonly name: string;
  /** `text/html`; absent: the program writes plain text alone. */
  readonly html?: string;
  /** `text/plain`. */
  readonly text?: string;
  /** What is stored in `richtext`. */
  readonly markdown: string;
  /** What is stored in `blocks`, where these lack something: a line for each block, with its marks as in Markdown. */
  readonly blocks?: readonly string[];
  /** What the user is told. */
  readonly losses?: string;
}
