import { useTexts } from '../language/language.js';
import { accentOf } from './accent.js';

/** What the service says that its editor is called, and looks like. */
const { name, logo, color } = document.documentElement.dataset;

/** The name of the editor, in tabs of the browser too. */
export const useEditorName = (): string => {
  const { editor } = useTexts().common;
  return name ?? editor;
};

/** The logo and the name of the editor. */
export function Brand() {
  const shown = useEditorName();
  return (
    <>
      {logo !== undefined && <img src={logo} alt="" />}
      <span>{shown}</span>
    </>
  );
}

/** Shows links, buttons and marks in the colour of the service. */
export function showColor(): void {
  if (color === undefined) return;
  const [light, dark] = [accentOf(color, 'light'), accentOf(color, 'dark')];
  const { style } = document.documentElement;
  style.setProperty('--accent', `light-dark(${light.accent}, ${dark.accent})`);
  style.setProperty('--tint', `light-dark(${light.tint}, ${dark.tint})`);
}
