// Links of packed documents. They are read on a registry's page and in node_modules, where only what is packed can be opened.
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join, posix } from 'node:path';

/** Code between backticks, or a link or picture; code that is the text of a link belongs to the link. */
const linkOrCode = /(!?\[[^\]]*\]\()([^)\s]+)([^)]*\))|`[^`\n]*`/g;
const definition = /^(\[[^\]]+\]:[ \t]*)(\S+)/gm;

/**
 * Makes links to files that are not packed absolute; all others stay.
 * @param {string} text of the document
 * @param {{ path: string, isPacked: (path: string) => boolean, address: (path: string, isPicture: boolean) => string }} options `path`: of
 *   the document in the package; `address`: of a file of the repository
 */
export function withPackedLinks(text, { path, isPacked, address }) {
  const resolved = (target, isPicture) => {
    if (/^(?:[a-z][a-z\d+.-]*:|#|\/)/i.test(target)) return target;
    const [, file, anchor] = /^([^#]*)(#.*)?$/.exec(target);
    const full = posix.join(posix.dirname(path), file).replace(/\/$/, '');
    return isPacked(full) ? target : `${address(full, isPicture)}${anchor ?? ''}`;
  };
  const prose = (part) =>
    part
      .replace(linkOrCode, (all, before, target, after) =>
        before === undefined ? all : `${before}${resolved(target, before.startsWith('!'))}${after}`,
      )
      .replace(definition, (_all, before, target) => `${before}${resolved(target, false)}`);
  // Every second part is a block of code.
  return text
    .split(/(^```[^]*?^```)/m)
    .map((part, index) => (index % 2 === 1 ? part : prose(part)))
    .join('');
}

/**
 * Rewrites the documents of an unpacked package.
 * @param {string} folder of the package
 * @param {{ page: string, version: string, directory?: string }} options `page`: of the repository; `directory`: of the package in it
 */
export function rewriteDocuments(folder, { page, version, directory = '' }) {
  const documents = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => name.endsWith('.md') && !name.split('/').includes('node_modules'));
  for (const path of documents) {
    const text = readFileSync(join(folder, path), 'utf8');
    const rewritten = withPackedLinks(text, {
      path,
      isPacked: (file) => existsSync(join(folder, file)),
      address: (file, isPicture) =>
        `${page}/${isPicture ? 'raw' : 'blob'}/v${version}/${posix.join(directory, file)}`,
    });
    if (rewritten !== text) writeFileSync(join(folder, path), rewritten);
  }
}
