import { lstat, readdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { OpSdkError, type FindingList } from '../../base/errors/index.ts';
import { leadsInside } from '../../base/util/folders.ts';
import { yamlLimits, describeObject, type PlacedObject } from '../../kubernetes/yaml/index.ts';
import { MOST_FILES, MOST_OF_OBJECT } from './validate/read-folder.ts';

/**
 * Refuses a bundle folder that is larger than any valid bundle. The check comes first, because later steps read the files one by one and
 * copy them to a temporary folder for validation.
 * @param root absolute
 * @param folder the bundle's folder, which need not exist, relative to `root`, with forward slashes
 * @throws OpSdkError `io/too-large`, `bundle/unexpected-file`
 */
export async function checkFolderSize(root: string, folder: string): Promise<void> {
  const total = { bytes: 0, files: 0 };
  for (const part of ['manifests', 'metadata', 'tests', 'tests/scorecard']) {
    const path = join(root, folder, part);
    const entry = await lstat(path).catch(() => undefined);
    // A nested folder has been counted with its parent folder, unless the nested folder is a link.
    if (entry === undefined || (part.includes('/') && !entry.isSymbolicLink())) continue;
    if (await leadsInside(root, path).catch(() => false)) await add(await realpath(path), folder, total);
  }
}

async function add(path: string, folder: string, total: { bytes: number; files: number }): Promise<void> {
  const entries = await readdir(path, { withFileTypes: true }).catch(() => []);
  for (const entry of entries) {
    const inner = join(path, entry.name);
    if (entry.isDirectory()) await add(inner, folder, total);
    if (!entry.isFile()) continue;
    total.files += 1;
    total.bytes += (await lstat(inner)).size;
    if (total.files > MOST_FILES)
      throw tooLarge('bundle/unexpected-file', folder, `more than ${MOST_FILES} files`);
    if (total.bytes > yamlLimits.bytes)
      throw tooLarge('io/too-large', folder, `more than ${yamlLimits.bytes / 1024 / 1024} MiB`);
  }
}

function tooLarge(code: 'io/too-large' | 'bundle/unexpected-file', folder: string, what: string): OpSdkError {
  return new OpSdkError({
    code,
    message: `expected the folder of a bundle, but ${folder} holds ${what}`,
    where: { file: folder },
    fix: ['remove what does not belong into the bundle', 'or write it into another folder: --output-dir'],
  });
}

/**
 * Maximum size of all objects together, in bytes of JSON. The compressed manifests of a bundle of this size fill the ConfigMap into which
 * OLM unpacks the bundle.
 */
const MOST = 12 * 1024 * 1024;

/** Before the bundle is generated, reports `bundle/too-large` for input that is too large for any bundle. */
export function checkInputSize(findings: FindingList, objects: readonly PlacedObject[]): void {
  if (objects.length > MOST_FILES) {
    findings.add({
      code: 'bundle/too-large',
      message: `there are ${objects.length} objects; a bundle holds up to ${MOST_FILES}`,
      ...(objects[0] === undefined ? {} : { where: objects[0].where }),
      fix: ['name the objects of the operator only'],
    });
    return;
  }
  let all = 0;
  for (const { object, where } of objects) {
    const bytes = Buffer.byteLength(JSON.stringify(object));
    all += bytes;
    if (bytes > MOST_OF_OBJECT)
      findings.add({
        code: 'bundle/too-large',
        message: `${describeObject(object)} has ${bytes} bytes; the API server takes objects up to ${MOST_OF_OBJECT} bytes`,
        where,
        fix: ['shorten its texts'],
      });
  }
  if (all <= MOST) return;
  findings.add({
    code: 'bundle/too-large',
    message: `expected objects of at most ${MOST} bytes together, which is the limit of OLM, got ${all} bytes`,
    fix: [
      'name the objects of the operator only',
      'shorten the descriptions of the CustomResourceDefinitions',
    ],
  });
}
