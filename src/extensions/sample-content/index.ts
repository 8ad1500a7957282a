import article from './article.json' with { type: 'json' };
import author from './author.json' with { type: 'json' };
import category from './category.json' with { type: 'json' };
import homepage from './homepage.json' with { type: 'json' };
import setting from './setting.json' with { type: 'json' };
import tag from './tag.json' with { type: 'json' };

/**
 * The magazine of a first start, in load order. An entry is what a client would send as `data`; its relations are the
 * ids that entries get in an empty database: 1, 2, 3 … per type.
 */
export const sampleContent: readonly {
  readonly uid: string;
  readonly entries: readonly Record<string, unknown>[];
}[] = [
  { uid: 'api::setting.setting', entries: setting },
  { uid: 'api::tag.tag', entries: tag },
  { uid: 'api::category.category', entries: category },
  { uid: 'api::author.author', entries: author },
  { uid: 'api::article.article', entries: article },
  { uid: 'api::homepage.homepage', entries: homepage },
];
