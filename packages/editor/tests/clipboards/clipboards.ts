import type { Clipboard } from './clipboard.js';
import { google } from './google.js';
import { office } from './office.js';
import { plain } from './plain.js';
import { web } from './web.js';

export const clipboards: readonly Clipboard[] = [...office, ...google, ...web, ...plain];
