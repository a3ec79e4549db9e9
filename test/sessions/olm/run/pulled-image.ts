import { readFileSync, readdirSync, rmSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { parseReference } from '../../../../src/images/index.ts';
import { pullImage } from '../../../../src/images/registry/pull-image.ts';
import { unpackImage } from '../../../../src/images/unpack-image.ts';
import type { Loose } from '../../../unit/olm/bundle/objects.ts';

/** The documents of the YAML files of an image, by their folders: `configs` of a catalogue, `manifests` of a bundle. */
export async function pulledDocuments(image: string, folder: string): Promise<readonly Loose[]> {
  const dir = mkdtempSync(join(tmpdir(), 'op-sdk-pulled-'));
  try {
    const content = await pullImage(parseReference(image), {
      env: {},
      signal: new AbortController().signal,
      plainHttp: true,
      skipTlsVerify: false,
      userAgent: 'stand-in',
      onProgress: () => undefined,
    });
    await unpackImage(content, image, dir);
    return filesBelow(join(dir, folder)).flatMap((file) =>
      parseAllDocuments(readFileSync(file, 'utf8')).map((document) => document.toJS()),
    );
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.yaml'))
    .map((entry) => join(entry.parentPath, entry.name));
}
