import { posix } from 'node:path';
import { FindingList } from '../../../base/errors/index.ts';
import { changeFor } from '../../../project/scaffold/plan-files.ts';
import type { FileChange, FilePlan } from '../../../project/scaffold/plan.ts';
import type { PreviewSite } from './preview-site.ts';

/** Mark in the first lines of every file of a preview. */
const mark = 'op-sdk bundle preview';
const markWithin = 500;

/**
 * The files of a preview in a folder. Those of an earlier preview are replaced, others are not.
 * @param place a folder that exists, and the one below it that need not; `''` for the former
 * @throws OpSdkError `scaffold/file-exists` for every file that no preview wrote
 */
export async function planPreview(
  { files }: PreviewSite,
  place: { readonly root: string; readonly folder: string },
): Promise<FilePlan> {
  const findings = new FindingList();
  const changes: FileChange[] = [];
  for (const [name, content] of files) {
    const path = posix.join(place.folder, name);
    const change = await changeFor(place.root, { path, content });
    if (change.action === 'update' && !change.before.slice(0, markWithin).includes(mark))
      findings.add({
        code: 'scaffold/file-exists',
        message: `${path} exists already, and was not written by ${mark}`,
        where: { file: path },
        fix: ['name another folder with --output-dir', 'move the file elsewhere'],
      });
    changes.push(change);
  }
  findings.throwIfAny();
  return { root: place.root, changes };
}
