export default { cacheComponents: true, partialPrefetching: false };
