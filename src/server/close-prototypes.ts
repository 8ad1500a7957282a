/**
 * Takes no more properties on `Object.prototype`: what a library or an extension would write there by mistake, or be made
 * to write, would otherwise be a property of every object of the process. Nothing is frozen: that would refuse `toString`
 * and the like on the prototypes of classes, and take V8's fast way with lists.
 */
export function closePrototypes(): void {
  Object.preventExtensions(Object.prototype);
}
