import lodash from 'lodash';
import type { AttributeDefinition } from '../../content-types/model/definition.js';
import { ofService } from '../../content-types/model/system-attributes.js';

/** Attributes of users that Strapi v4 does not have: they concern logins and the editor, and only we write them. */
const definitions: Readonly<Record<string, AttributeDefinition>> = {
  resetPasswordExpiresAt: { type: 'datetime' },
  confirmationExpiresAt: { type: 'datetime' },
  /** Tokens issued before are invalid. */
  passwordChangedAt: { type: 'datetime' },
  /** Who it is at an OpenID Connect provider, see `findAccount`. */
  providerSubject: { type: 'string', unique: true },
  /** The second factor, see `factorOf`. */
  secondFactor: { type: 'json' },
  /** What the editor keeps for its user. */
  editorPreferences: { type: 'json' },
};

/** Their names. */
export const ownAttributes: readonly string[] = Object.keys(definitions);

/** Their definitions: nobody but the service has them. */
export const ownDefinitions = lodash.mapValues(definitions, (definition) => ({
  ...definition,
  private: true,
  visible: false,
  pluginOptions: ofService,
}));
