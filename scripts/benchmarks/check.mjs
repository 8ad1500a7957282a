import assert from 'node:assert/strict';
import { asRest } from './as-rest.mjs';
import { freshNumber } from './workloads.mjs';

async function ask({ url, headers }, { path, body }) {
  const response = await fetch(url + path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    ...(body !== undefined && { body: body.replaceAll(freshNumber, 'checked') }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${path} is answered with ${response.status}: ${text.slice(0, 500)}`);
  const answer = JSON.parse(text);
  return answer.data.articles === undefined ? answer : asRest(answer, JSON.parse(body).variables);
}

/**
 * Checks that all systems answer a workload alike, every variant of it if it only reads.
 * @param unlike what differs in written entries, beside their times
 * @throws AssertionError showing the difference
 */
export async function checkAnswers(name, { writes }, systems, unlike = []) {
  const ignored = writes ? [...times, ...unlike] : [];
  const [first, ...others] = systems;
  const variants = writes ? 1 : first.requests[name].length;
  for (let index = 0; index < variants; index++) {
    const answer = await ask(first, first.requests[name][index]);
    for (const other of others) {
      const expected = await ask(other, other.requests[name][index]);
      const message = `${name}: ${first.name} and ${other.name} differ on ${first.requests[name][index].path}`;
      assert.deepEqual(without(answer, ignored), without(expected, ignored), message);
    }
  }
}

const times = ['createdAt', 'updatedAt', 'publishedAt'];

/** Removes values of a written entry by their names. */
const without = (answer, names) =>
  JSON.parse(JSON.stringify(answer, (key, value) => (names.includes(key) ? undefined : value)));

/**
 * Checks that seeded entries are stored as the service stores them: compares the first with a new one made of the
 * same values.
 * @throws AssertionError showing the difference
 */
export async function checkStorage(collection) {
  const [seeded] = await collection.find({}, { sort: { _id: 1 }, limit: 1 }).toArray();
  const [created] = await collection.find({}, { sort: { _id: -1 }, limit: 1 }).toArray();
  assert.deepEqual(shapeOf(created), shapeOf(seeded), 'Seeded articles differ from those that the service stores');
}

function shapeOf(value) {
  if (Array.isArray(value)) return value.map(shapeOf);
  if (value?.constructor !== Object) return value?.constructor.name;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, shapeOf(part)]));
}
