import { mapRelated, type CodeForm, type FormContext } from 'content-service/content-api';
import type { Settings } from '../settings.js';
import { checkData } from '../writes/check-data.js';
import { checkNames } from '../reads/parse-request.js';
import { explainRights } from '../strict/explain-rights.js';
import { ofDrafts, ofPublished } from '../status.js';
import { everyLocale } from './parse-params.js';
import { createDocumentService } from './document-service.js';

/** What code of a Strapi 5 project gets of this form of the API. */
export const createCodeForm = (context: FormContext, settings: Settings): CodeForm => ({
  documents: createDocumentService(context),
  versions: (query) => {
    // Related entries are in the state of the version.
    const related = mapRelated(query, (below) => ({ ...below, publicationState: undefined }));
    const everywhere = { ...related, parameters: { ...query.parameters, ...everyLocale(query.type) } };
    return [ofDrafts(everywhere), ofPublished(everywhere, { isNative: true })];
  },
  checkQuery: (query, type, caller) => {
    checkNames(query, type, settings);
    explainRights(query, type, caller);
  },
  checkData,
});
