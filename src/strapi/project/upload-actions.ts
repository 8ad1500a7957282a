import lodash from 'lodash';
import { BEFORE_BODY } from '../http/endpoint.js';
import type { Action, Named } from '../strapi.js';

const UPLOAD = 'plugin::upload.content-api.upload';

/** The action that each part of it belongs to. */
export const wholeActions: Readonly<Record<string, string>> = {
  'plugin::upload.content-api.updateFileInfo': UPLOAD,
  'plugin::upload.content-api.replaceFile': UPLOAD,
  'plugin::upload.content-api.uploadFiles': UPLOAD,
};

/**
 * The controllers of upload with the parts of its action `upload` that Strapi v4 has as actions of their own: code
 * calls them, and what code puts in their place answers.
 */
export function splitUpload({ 'content-api': controller = {}, ...others }: Named<Named<Action>>): Named<Named<Action>> {
  const { upload } = controller;
  if (upload === undefined) return { ...others, 'content-api': controller };
  const part: Action = (context, next) => upload(context, next);
  const parts: Named<Action> = { updateFileInfo: part, replaceFile: part, uploadFiles: part };
  const whole = function (this: Named<Action> | undefined, ...args: Parameters<Action>): unknown {
    const [{ query, request }] = args;
    const { files } = ((request as { files?: unknown }).files ?? {}) as Named;
    const name = lodash.isEmpty(files) ? 'updateFileInfo' : query['id'] === undefined ? 'uploadFiles' : 'replaceFile';
    const own = this?.[name];
    // Without a file and an id there is nothing to do.
    const isAsked = name !== 'updateFileInfo' || query['id'] !== undefined;
    return own !== undefined && own !== parts[name] && isAsked ? own.apply(this, args) : upload(...args);
  };
  return {
    ...others,
    'content-api': { ...controller, ...parts, upload: Object.assign(whole, lodash.pick(upload, BEFORE_BODY)) },
  };
}
