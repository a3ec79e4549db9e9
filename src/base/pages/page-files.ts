import { readdir, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A file of a page, as it is served. */
export interface PageFile {
  readonly type: string;
  readonly body: Uint8Array;
}

const root = fileURLToPath(new URL('../../../pages/', import.meta.url));

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
};

/** The files of a page by their path; that of `index.html` is `''`. */
export async function pageFiles(page: 'live'): Promise<ReadonlyMap<string, PageFile>> {
  const files = new Map<string, PageFile>();
  for (const name of await readdir(join(root, page)))
    files.set(name === 'index.html' ? '' : name, {
      type: types[extname(name)] ?? 'application/octet-stream',
      body: await readFile(join(root, page, name)),
    });
  return files;
}
