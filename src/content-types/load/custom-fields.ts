import type { ScalarType } from '../model/types.js';

/** Custom fields of well-known plugins for Strapi v4, and the types that these plugins register them with. */
export const wellKnownCustomFields: Readonly<Record<string, ScalarType>> = {
  'plugin::ckeditor.CKEditor': 'richtext',
  'plugin::ckeditor5.CKEditor': 'richtext',
  'plugin::color-picker.color': 'string',
  'plugin::country-select.country': 'string',
  'plugin::field-uuid.uuid': 'uid',
  'plugin::google-maps.location-picker': 'json',
  'plugin::map-field.map': 'json',
  'plugin::multi-select.multi-select': 'json',
  'plugin::oembed.oembed': 'text',
  'plugin::react-icons.icon': 'string',
  'plugin::strapi-advanced-uuid.uuid': 'uid',
  'plugin::strapi-phone-validator.phone': 'string',
  'plugin::tagsinput.tags': 'json',
  'plugin::timezone-select.timezone': 'string',
  'plugin::tinymce.tinymce': 'richtext',
  'plugin::video-field.video': 'json',
};
