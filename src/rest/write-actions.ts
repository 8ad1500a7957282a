import lodash from 'lodash';
import type { AskedWrite } from '../calls/asked-write.js';
import { createEntryChecks } from '../calls/entry-checks.js';
import { prepareWrite, writeCalls } from '../calls/write-calls.js';
import type { ContentWrite } from '../plugins/contract/content-api.js';
import type { RestContext } from './action.js';
import { entryEnvelope } from './response/envelopes.js';
import { restPresenter } from './response/rest-presenter.js';

/** Strapi v4's writes, and writes by a key, which answer with the entry. */
export function createWriteActions(context: RestContext) {
  const checks = createEntryChecks({ ...context, presentOne: entryEnvelope });
  const parts = { ...context, checks, presenter: restPresenter };
  return lodash.mapValues(writeCalls, (call): ContentWrite => async (action) => {
    const { type, request, response, caller, form, query, terms } = action;
    const asked = {
      type,
      params: request.params as AskedWrite['params'],
      query,
      terms,
      caller,
      response,
      body: request.body,
      form,
      is: (mediaType: string) => request.is(mediaType),
      address: request.ip ?? '',
    };
    return prepareWrite(call, parts, asked, action);
  });
}
