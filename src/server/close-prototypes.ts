/**
 * Prevents new properties of `Object.prototype`: a property that a library or an extension writes there by mistake, or
 * is made to write, would be a property of every object of the process. Nothing is frozen: that would break assignments
 * of `toString` and others on prototypes of classes, and disable V8's fast paths for arrays.
 */
export function closePrototypes(): void {
  Object.preventExtensions(Object.prototype);
}
