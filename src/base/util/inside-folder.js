import { isAbsolute, relative, sep } from 'node:path';

/**
 * Tells whether a path is a folder or lies inside of it. Links are not followed: give real paths.
 * In plain JavaScript, because programs that are started as files use it too.
 * @param {string} folder absolute
 * @param {string} path absolute
 * @returns {boolean}
 */
export function isInsideFolder(folder, path) {
  const way = relative(folder, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
