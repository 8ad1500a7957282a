/** Whether readers may be led there: the addresses of scripts, files of a computer and embedded data are none. */
export const isSafeLink = (url: string): boolean => /^(?:https?:\/\/|mailto:|tel:|\/(?!\/)|#)[^\s]*$/i.test(url);
