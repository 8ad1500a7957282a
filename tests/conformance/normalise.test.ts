import { expect, test } from '@jest/globals';
import { normalise } from '../../scripts/conformance/normalise.js';

const moment = '2024-01-01T00:00:00.000Z';

test('timestamps set by the service are normalised, written ones are not', () => {
  expect(normalise({ createdAt: moment, publishedAt: null, updatedAt: 'soon', startsAt: moment })).toEqual({
    createdAt: '<timestamp>',
    publishedAt: null,
    updatedAt: 'soon',
    startsAt: moment,
  });
});

test('ids of components are normalised, those of entries are not', () => {
  const entry = (attributes: object) => ({ data: [{ id: 5, attributes }] });
  const related = { data: { id: 9, attributes: {} } };
  expect(normalise(entry({ seo: { id: 1 }, links: [{ id: 2 }], author: related }))).toEqual(
    entry({ seo: { id: '<component-id>' }, links: [{ id: '<component-id>' }], author: related }),
  );
  expect(normalise({ id: 3, role: { id: 4 } })).toEqual({ id: 3, role: { id: 4 } });
});

test('attributes of files that depend on content or location are normalised', () => {
  const file = { name: 'a.png', mime: 'image/png', ext: '.png', hash: 'a1', url: '/uploads/a1.png', size: 1.5 };
  const small = { ext: '.png', mime: 'image/png', width: 10, height: 5, size: 0.1, hash: 'b', url: '/uploads/b.png' };
  expect(normalise({ ...file, folderPath: '/', formats: { small } })).toEqual({
    name: 'a.png',
    mime: 'image/png',
    ext: '.png',
    hash: '<hash>',
    url: '<upload-url>',
    size: '<size>',
    formats: { small: { ext: '.png', mime: 'image/png', width: 10, height: 5 } },
  });
  expect(normalise({ ...file, mime: 'text/plain', formats: null })).toMatchObject({ size: 1.5, formats: null });
});

test('URLs that are not uploads are unchanged', () => {
  expect(normalise({ attributes: { url: 'https://example.org' } })).toEqual({
    attributes: { url: 'https://example.org' },
  });
});

test('tokens of logins are normalised', () => {
  expect(normalise({ jwt: 'a.b.c', user: { id: 1 } })).toEqual({ jwt: '<jwt>', user: { id: 1 } });
});

test('positions of JSON syntax errors are normalised across Node versions', () => {
  const cause = "Expected property name or '}' in JSON at position 10";
  expect(normalise({ message: `${cause} (line 1 column 11)` })).toEqual({ message: cause });
  expect(normalise({ message: 'Bad value (line 1 column 11)' })).toEqual({ message: 'Bad value (line 1 column 11)' });
});
