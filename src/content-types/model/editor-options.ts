/** What definitions say to the editor, in `pluginOptions.editor`. */

/** A text in one language for all, or by languages, such as `{ en: 'Price', de: 'Preis' }`. */
export type EditorText = string | Readonly<Record<string, string>>;

/** A value that a condition compares with. */
export type ComparedValue = string | number | boolean;

/**
 * When a form shows an attribute: what holds of another one of the same entry or component. It has one of the tests.
 */
export interface Condition {
  readonly attribute: string;
  readonly equals?: ComparedValue;
  readonly not?: ComparedValue;
  readonly in?: readonly ComparedValue[];
  readonly isSet?: boolean;
}

/** How the editor shows an attribute. */
export interface AttributeEditorOptions {
  /** The panel of the form. */
  readonly panel?: 'main' | 'side';
  /** The heading of the group that it belongs to. */
  readonly section?: EditorText;
  /** What it is called, instead of its name. */
  readonly label?: EditorText;
  /** What it is for. */
  readonly description?: EditorText;
  /** What an empty field shows. */
  readonly placeholder?: EditorText;
  /** What values have to look like that its `regex` accepts. */
  readonly message?: EditorText;
  /** The share of the width of the form. */
  readonly width?: 'third' | 'half' | 'full';
  readonly condition?: Condition;
}

/** How the editor names a content type or a component, and what it says about it. */
export interface ModelEditorOptions {
  readonly label?: EditorText;
  /** What several entries of a content type are called. */
  readonly pluralLabel?: EditorText;
  readonly description?: EditorText;
}
