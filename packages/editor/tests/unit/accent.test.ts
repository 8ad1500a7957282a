import { expect, test } from '@jest/globals';
import { accentOf, contrastOf } from '../../src/browser/shell/accent.js';

test('contrasts are those of WCAG', () => {
  expect(contrastOf('#ffffff', '#000000')).toBeCloseTo(21);
  expect(contrastOf('#777777', '#ffffff')).toBeCloseTo(4.48, 2);
});

test('every colour of a service can be read on all backgrounds, light and dark, and text on it too', () => {
  const levels = ['00', '33', '66', '99', 'cc', 'ff'];
  const colors = levels.flatMap((red) => levels.flatMap((green) => levels.map((blue) => `#${red}${green}${blue}`)));
  const unreadable = colors.flatMap((color) => {
    const [light, dark] = [accentOf(color, 'light'), accentOf(color, 'dark')];
    const pairs = [
      [light.accent, '#f7f7f4'],
      [light.accent, light.tint],
      [light.accent, '#ffffff'],
      [dark.accent, '#1c211f'],
      [dark.accent, dark.tint],
      [dark.accent, '#10201a'],
      // Texts and quiet texts on what is chosen.
      ['#1d2321', light.tint],
      ['#56605b', light.tint],
      ['#e9ece9', dark.tint],
      ['#a3ada8', dark.tint],
    ] as const;
    return pairs.filter(([text, background]) => contrastOf(text, background) < 4.5).map((pair) => [color, ...pair]);
  });
  expect(unreadable).toEqual([]);
});

test('a colour that can be read stays as it is', () => {
  expect(accentOf('#0b6b4f', 'light').accent).toBe('#0b6b4f');
  expect(accentOf('#6fd3ae', 'dark').accent).toBe('#6fd3ae');
});
