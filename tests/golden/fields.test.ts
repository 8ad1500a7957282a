import type { Document } from 'mongodb';
import { golden } from '../support/golden.js';

/** The projection: `_id` comes by itself, what is not plain is read only when it is populated. */
const projected = (project: Document): readonly Document[] => [
  { $sort: { _id: 1 } },
  { $limit: 25 },
  { $project: project },
];
const all = { name: 1, color: 1, createdAt: 1, updatedAt: 1 };

golden('fields', { of: 'tag', frame: projected }, [
  { says: 'none named, all are read', query: '', gives: all },
  { says: 'a parameter without a value means all', query: 'fields', gives: all },
  { says: 'a name without a value names nothing', query: 'fields[0]', gives: { _id: 1 } },
  { says: 'nor does one among others', query: 'fields[0]=name&fields[1]', gives: { name: 1 } },
  { says: 'blanks around a name do not count', query: 'fields=%20name%0A', gives: { name: 1 } },
  { says: 'also in a list', query: 'fields[0]=id%20&fields[1]=%20color', gives: { color: 1 } },
  { says: 'an empty name is refused', query: 'fields=', refused: 'Invalid parameter ' },
  { says: 'also in a list', query: 'fields[]=', refused: 'Invalid parameter ' },
  { says: 'also beside others', query: 'fields[0]=name&fields[1]=', refused: 'Invalid parameter ' },
  {
    says: 'names next to * are checked',
    query: 'fields[0]=*&fields[1]=nope',
    refused: 'Invalid parameter nope',
  },
  { says: 'blanks around a star count', query: 'fields=%20*', refused: 'Invalid parameter *' },
  { says: 'a list in a list is refused', query: 'fields[0]=name&fields[1][]=x', refused: 'Invalid parameter fields' },
  { says: 'a star means all', query: 'fields=*', gives: all },
  { says: 'also among others', query: 'fields[0]=name&fields[1]=*', gives: all },
  { says: 'one name', query: 'fields=name', gives: { name: 1 } },
  { says: 'a list of names', query: 'fields[0]=color&fields[1]=name', gives: { color: 1, name: 1 } },
  { says: 'a name counts once', query: 'fields[0]=name&fields[1]=name', gives: { name: 1 } },
  { says: 'the id is always read', query: 'fields[0]=id', gives: { _id: 1 } },
  { says: 'a comma is part of a name', query: 'fields=name,color', refused: 'Invalid parameter name,color' },
  { says: 'unknown attributes are refused', query: 'fields[0]=nope', refused: 'Invalid parameter nope' },
  { says: 'relations are populated, not named', query: 'fields[0]=articles', refused: 'Invalid parameter articles' },
  { says: 'paths are refused', query: 'fields[0]=articles.title', refused: 'Invalid parameter articles.title' },
  { says: 'names of the database are refused', query: 'fields[0]=$$ROOT', refused: 'Invalid parameter $$ROOT' },
  { says: 'an object is refused', query: 'fields[name]=true', refused: 'Invalid parameter fields' },
  {
    says: 'names of Object.prototype are unknown attributes',
    query: 'fields[0]=constructor',
    refused: 'Invalid parameter constructor',
  },
]);

golden('fields of a type with secrets', { of: 'author', frame: projected }, [
  {
    says: '* omits private attributes',
    query: 'fields=*',
    gives: { name: 1, email: 1, bio: 1, birthDate: 1, active: 1, rank: 1, createdAt: 1, updatedAt: 1 },
  },
  { says: 'nobody may name them', query: 'fields[0]=notes', refused: 'Invalid parameter notes' },
  { says: 'not even beside a star', query: 'fields[0]=*&fields[1]=notes', refused: 'Invalid parameter notes' },
]);

golden('fields of a type with drafts', { of: 'page', frame: projected }, [
  {
    says: 'publishedAt is included',
    query: '',
    gives: { title: 1, path: 1, weight: 1, createdAt: 1, updatedAt: 1, publishedAt: 1 },
  },
]);

golden('fields of a type with a password', { of: 'product', frame: projected }, [
  { says: 'a password is readable to nobody', query: 'fields[0]=pin', refused: 'Invalid parameter pin' },
]);
