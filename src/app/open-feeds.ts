import { createFeeds, type Feeds, type FeedsOptions } from '../documents/changes/feeds.js';
import { createPositions } from '../documents/changes/positions.js';
import { openEventTail } from '../mongo/events/event-tail.js';
import type { LoadedProject } from './load-project.js';
import type { Content } from './open-content.js';

/** The change feeds of this process; undefined where writes are not recorded for them. */
export function openFeeds(
  { config, registry }: Pick<LoadedProject, 'config' | 'registry'>,
  { store, documents, limits }: Pick<Content, 'store' | 'documents' | 'limits'>,
  isOffered: FeedsOptions['isOffered'],
): Feeds | undefined {
  const { record, feeds: maximum } = config.events;
  if (!record) return undefined;
  const positions = createPositions(config.secrets.jwt);
  return createFeeds({ registry, documents, tail: openEventTail(store.events), positions, limits, maximum, isOffered });
}
