import { expect, test } from '@jest/globals';
import { areaBetween, areaWithin, cropName } from '../../src/browser/model/library/area.js';

const image = { width: 400, height: 300 };

test('an area is of whole pixels within the image', () => {
  const whole = { x: 0, y: 0, ...image };
  expect(areaWithin(whole, image)).toEqual(whole);
  expect(areaWithin({ x: 100.4, y: -5, width: 1000, height: 0 }, image)).toEqual({
    x: 100,
    y: 0,
    width: 300,
    height: 1,
  });
  expect(areaWithin({ x: 10, y: 10, width: NaN, height: 5 }, image)).toEqual({ x: 10, y: 10, width: 1, height: 5 });
  expect(areaWithin({ x: 400, y: 300, width: 0, height: 0 }, image)).toEqual({ x: 399, y: 299, width: 1, height: 1 });
});

test('an area lies between two points, in whichever direction one drags', () => {
  const area = { x: 10, y: 20, width: 30, height: 40 };
  expect(areaBetween({ x: 10, y: 20 }, { x: 40, y: 60 }, image)).toEqual(area);
  expect(areaBetween({ x: 40, y: 60 }, { x: 10, y: 20 }, image)).toEqual(area);
  expect(areaBetween({ x: -50, y: 900 }, { x: 40, y: 200 }, image)).toEqual({ x: 0, y: 200, width: 40, height: 100 });
  expect(areaBetween({ x: 400, y: 300 }, { x: 400, y: 300 }, image)).toEqual({ x: 399, y: 299, width: 1, height: 1 });
});

test.each([
  ['mill.png', 'mill-40x30.png'],
  ['old.mill.jpeg', 'old.mill-40x30.jpeg'],
  ['mill', 'mill-40x30'],
])('a part of %s is called %s', (name, part) => {
  expect(cropName(name, { width: 40, height: 30 })).toBe(part);
});
