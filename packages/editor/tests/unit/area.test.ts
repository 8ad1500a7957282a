import { expect, test } from '@jest/globals';
import {
  areaWithin,
  cropName,
  largestArea,
  percentOf,
  pixelsOf,
  ratioOf,
  withNumber,
} from '../../src/browser/model/library/area.js';

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

test('an area with a proportion keeps it where there is less space', () => {
  expect(areaWithin({ x: 100, y: 0, width: 600, height: 600 }, image, 1)).toEqual({
    x: 100,
    y: 0,
    width: 300,
    height: 300,
  });
  expect(areaWithin({ x: 0, y: 250, width: 100, height: 100 }, image, 1)).toEqual({
    x: 0,
    y: 250,
    width: 50,
    height: 50,
  });
});

test('a proportion begins with the largest area in the middle', () => {
  expect(largestArea(image)).toEqual({ x: 0, y: 0, ...image });
  expect(largestArea(image, ratioOf('1:1', image))).toEqual({ x: 50, y: 0, width: 300, height: 300 });
  expect(largestArea(image, ratioOf('16:9', image))).toEqual({ x: 0, y: 38, width: 400, height: 225 });
  expect(ratioOf('original', image)).toBe(4 / 3);
  expect(ratioOf('free', image)).toBeUndefined();
});

test('a typed side takes the other one with it, if there is a proportion', () => {
  const area = { x: 1, y: 2, width: 40, height: 30 };
  expect(withNumber(area, 'width', 80, undefined)).toEqual({ ...area, width: 80 });
  expect(withNumber(area, 'width', 80, 4 / 3)).toEqual({ ...area, width: 80, height: 60 });
  expect(withNumber(area, 'height', 60, 4 / 3)).toEqual({ ...area, width: 80, height: 60 });
  expect(withNumber(area, 'x', 9, 4 / 3)).toEqual({ ...area, x: 9 });
  expect(withNumber(area, 'width', NaN, 4 / 3)).toEqual({ ...area, width: NaN });
});

test('the frame over an image has shares of it', () => {
  const area = { x: 100, y: 75, width: 200, height: 30 };
  expect(percentOf(area, image)).toEqual({ x: 25, y: 25, width: 50, height: 10 });
  expect(pixelsOf(percentOf(area, image), image)).toEqual(area);
});

test.each([
  ['mill.png', 'mill-40x30.png'],
  ['old.mill.jpeg', 'old.mill-40x30.jpeg'],
  ['mill', 'mill-40x30'],
])('a part of %s is called %s', (name, part) => {
  expect(cropName(name, { width: 40, height: 30 })).toBe(part);
});
