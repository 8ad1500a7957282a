import { expect, test } from '@jest/globals';
import { generateSchema } from '../../src/graphql/schema/generate.js';
import { noAdditions } from '../../src/graphql/schema/rules.js';
import { loadCorpus } from '../support/golden.js';

/** What the schema has for groups of tags. */
const ofTags = `
tags_aggregate(filters: TagFiltersInput, pagination: PaginationArg = {}, sort: [String] = [], groupBy: [Tag_KeyInput!], having: Tag_Having, timeZone: String): Tag_Groups
enum Key_Value { VALUE }
enum Key_DateTime { VALUE YEAR QUARTER MONTH WEEK DAY HOUR }
enum Key_Date { VALUE YEAR QUARTER MONTH WEEK DAY }
enum Key_Time { VALUE HOUR }
type Groups_Meta { pagination: Pagination! overlapping: [String!]! }
type Tag_Groups { data: [Tag_Group!]! meta: Groups_Meta! }
type Tag_Group { count: Int! key: Tag_Key! countDistinct: Tag_CountDistinct! sum: Tag_Sum! avg: Tag_Avg! min: Tag_Min! max: Tag_Max! }
input Tag_Having { count: IntFilterInput countDistinct: Tag_CountDistinctHaving sum: Tag_SumHaving avg: Tag_AvgHaving min: Tag_MinHaving max: Tag_MaxHaving and: [Tag_Having] or: [Tag_Having] not: Tag_Having }
type Tag_Key { id: ID name: String color: ENUM_TAG_COLOR articles: Article_Key createdAt: String updatedAt: String }
input Tag_KeyInput { id: Key_Value name: Key_Value color: Key_Value articles: Article_KeyInput createdAt: Key_DateTime updatedAt: Key_DateTime }
type Tag_CountDistinct { id: Int name: Int color: Int createdAt: Int updatedAt: Int }
input Tag_CountDistinctHaving { id: IntFilterInput name: IntFilterInput color: IntFilterInput createdAt: IntFilterInput updatedAt: IntFilterInput }
type Tag_Sum { id: Float articles: Article_Sum }
input Tag_SumHaving { id: FloatFilterInput articles: Article_SumHaving }
type Tag_Avg { id: Float articles: Article_Avg }
input Tag_AvgHaving { id: FloatFilterInput articles: Article_AvgHaving }
type Tag_Min { id: Int name: String color: ENUM_TAG_COLOR articles: Article_Min createdAt: DateTime updatedAt: DateTime }
input Tag_MinHaving { id: IntFilterInput name: StringFilterInput color: StringFilterInput articles: Article_MinHaving createdAt: DateTimeFilterInput updatedAt: DateTimeFilterInput }
type Tag_Max { id: Int name: String color: ENUM_TAG_COLOR articles: Article_Max createdAt: DateTime updatedAt: DateTime }
input Tag_MaxHaving { id: IntFilterInput name: StringFilterInput color: StringFilterInput articles: Article_MaxHaving createdAt: DateTimeFilterInput updatedAt: DateTimeFilterInput }
`;

test('groups have typed keys, measures and conditions of what can be grouped and measured', async () => {
  const { typeDefs } = generateSchema(await loadCorpus(), [], { ...noAdditions, aggregation: true });
  const own = typeDefs.split('\n\n').filter((one) => /^(?:enum Key|type Groups|(?:type|input) Tag)_/.test(one));
  const [field] = /tags_aggregate.*/.exec(typeDefs) ?? [];
  expect([field, ...own].map((one) => one?.replaceAll(/\s+/g, ' '))).toEqual(ofTags.trim().split('\n'));
});

test('a schema without the setting has none of it', async () => {
  const { typeDefs } = generateSchema(await loadCorpus());
  expect(typeDefs).not.toMatch(/_aggregate|_Key|_Having/);
});
