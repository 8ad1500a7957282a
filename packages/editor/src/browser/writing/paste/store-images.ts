import type { Api } from '../../api/api.js';
import { uploadFiles, type FileInfo } from '../../api/files.js';
import { imageBlock, type ElementNode, type Format } from '../document/document.js';
import { embedded, type Losses } from './pasted.js';

interface Options {
  readonly api: Api;
  readonly format: Format;
  readonly mayUpload: boolean;
  /** See `UploadFolder`. */
  readonly infoNow: () => Partial<FileInfo>;
}

/** Stores the images that are in a clipboard as files of the library: a text has only their addresses. */
export async function storeImages(
  nodes: readonly ElementNode[],
  losses: Losses,
  { api, format, mayUpload, infoNow }: Options,
): Promise<readonly ElementNode[]> {
  const stored: ElementNode[] = [];
  for (const [index, node] of nodes.entries()) {
    const { image } = node;
    if (image === undefined || !embedded.test(image.url)) {
      stored.push(node);
      continue;
    }
    const file = mayUpload ? fileOf(image.url, `image-${index + 1}`) : undefined;
    const [uploaded] = file === undefined ? [] : await uploadFiles(api, [file], infoNow()).catch(() => []);
    if (uploaded === undefined) losses.localImages.add(image.alternativeText || `image-${index + 1}`);
    else
      stored.push(
        imageBlock({ ...uploaded, alternativeText: image.alternativeText || uploaded.alternativeText }, format),
      );
  }
  return stored;
}

/** The browser may not fetch such an address: the policy of the page allows only the service. */
function fileOf(url: string, name: string): File | undefined {
  const [, type = '', data = ''] = /^data:(image\/[a-z]+);base64,([^]*)$/i.exec(url) ?? [];
  try {
    const bytes = Uint8Array.from(atob(data.replaceAll(/\s|%0A/gi, '')), (letter) => letter.codePointAt(0) ?? 0);
    return new File([bytes], `${name}.${type.slice('image/'.length).replace('jpeg', 'jpg')}`, { type });
  } catch {
    return undefined;
  }
}
