import type { Document } from 'mongodb';
import { golden } from '../support/golden.js';

/** The projection: `_id` is always included, attributes that are not scalars only if they are populated. */
const projected = (project: Document): readonly Document[] => [
  { $sort: { _id: 1 } },
  { $limit: 25 },
  { $project: project },
];
const all = { name: 1, color: 1, createdAt: 1, updatedAt: 1 };

golden('fields', { of: 'tag', frame: projected }, [
  { rule: 'none named, all are read', query: '', expected: all },
  { rule: 'a parameter without a value means all', query: 'fields', expected: all },
  { rule: 'a name without a value names nothing', query: 'fields[0]', expected: { _id: 1 } },
  { rule: 'nor does one among others', query: 'fields[0]=name&fields[1]', expected: { name: 1 } },
  { rule: 'blanks around a name do not count', query: 'fields=%20name%0A', expected: { name: 1 } },
  { rule: 'also in a list', query: 'fields[0]=id%20&fields[1]=%20color', expected: { color: 1 } },
  { rule: 'an empty name is refused', query: 'fields=', refused: 'Invalid parameter ' },
  { rule: 'also in a list', query: 'fields[]=', refused: 'Invalid parameter ' },
  { rule: 'also beside others', query: 'fields[0]=name&fields[1]=', refused: 'Invalid parameter ' },
  {
    rule: 'names next to * are checked',
    query: 'fields[0]=*&fields[1]=nope',
    refused: 'Invalid parameter nope',
  },
  { rule: 'blanks around a star count', query: 'fields=%20*', refused: 'Invalid parameter *' },
  { rule: 'a list in a list is refused', query: 'fields[0]=name&fields[1][]=x', refused: 'Invalid parameter fields' },
  { rule: 'a star means all', query: 'fields=*', expected: all },
  { rule: 'also among others', query: 'fields[0]=name&fields[1]=*', expected: all },
  { rule: 'one name', query: 'fields=name', expected: { name: 1 } },
  { rule: 'a list of names', query: 'fields[0]=color&fields[1]=name', expected: { color: 1, name: 1 } },
  { rule: 'a name counts once', query: 'fields[0]=name&fields[1]=name', expected: { name: 1 } },
  { rule: 'the id is always read', query: 'fields[0]=id', expected: { _id: 1 } },
  { rule: 'a comma is part of a name', query: 'fields=name,color', refused: 'Invalid parameter name,color' },
  { rule: 'unknown attributes are refused', query: 'fields[0]=nope', refused: 'Invalid parameter nope' },
  { rule: 'relations are populated, not named', query: 'fields[0]=articles', refused: 'Invalid parameter articles' },
  { rule: 'paths are refused', query: 'fields[0]=articles.title', refused: 'Invalid parameter articles.title' },
  { rule: 'names of the database are refused', query: 'fields[0]=$$ROOT', refused: 'Invalid parameter $$ROOT' },
  { rule: 'an object is refused', query: 'fields[name]=true', refused: 'Invalid parameter fields' },
  {
    rule: 'names of Object.prototype are unknown attributes',
    query: 'fields[0]=constructor',
    refused: 'Invalid parameter constructor',
  },
]);

golden('fields of a type with secrets', { of: 'author', frame: projected }, [
  {
    rule: '* omits private attributes',
    query: 'fields=*',
    expected: { name: 1, email: 1, bio: 1, birthDate: 1, active: 1, rank: 1, createdAt: 1, updatedAt: 1 },
  },
  { rule: 'they cannot be requested', query: 'fields[0]=notes', refused: 'Invalid parameter notes' },
  { rule: 'not even beside a star', query: 'fields[0]=*&fields[1]=notes', refused: 'Invalid parameter notes' },
]);

golden('fields of a type with drafts', { of: 'page', frame: projected }, [
  {
    rule: 'publishedAt is included',
    query: '',
    expected: { title: 1, path: 1, weight: 1, createdAt: 1, updatedAt: 1, publishedAt: 1 },
  },
]);

golden('fields of a type with a password', { of: 'product', frame: projected }, [
  { rule: 'a password is never readable', query: 'fields[0]=pin', refused: 'Invalid parameter pin' },
]);
