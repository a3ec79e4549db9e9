import path from 'node:path';
import { readFileSync } from 'node:fs';
import { render, templatesRoot } from '../../project/scaffold/index.ts';
import type { BundledPackage } from './bundled-packages.ts';
import type { BundleFile } from './bundler.ts';

/** Name of the file with the licenses of all packages in a bundle, beside the bundle. */
export const noticesFile = 'THIRD-PARTY-NOTICES.txt';

/**
 * Returns the file with the licenses of all packages in a bundle. Most licenses demand that their text accompanies the code, and an image
 * has no node_modules folder to hold it.
 * @param outfile path of the bundle, relative to the project
 */
export function thirdPartyNotices(packages: readonly BundledPackage[], outfile: string): BundleFile {
  const template = readFileSync(path.join(templatesRoot, 'generated', 'third-party-notices.txt.hbs'), 'utf8');
  return {
    path: path.posix.join(path.posix.dirname(outfile), noticesFile),
    content: render(template, {
      packages: packages.map(({ name, version, license, address, texts }) => ({
        name: oneLine(name),
        version: oneLine(version),
        license: oneLine(license ?? (texts.length === 0 ? 'none stated' : 'see below')),
        addresses: address === undefined ? [] : [oneLine(address)],
        texts: texts.map(({ file, text }) => ({ file: oneLine(file), text })),
      })),
    }),
  };
}

/** Replaces line breaks, so that a value of a package cannot look like the entry of another package. */
function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ');
}
