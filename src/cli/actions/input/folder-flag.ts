import { isAbsolute, relative, resolve, sep } from 'node:path';
import type { FindingList } from '../../../base/errors/index.ts';
import { invalidFlag } from './flag-values.ts';

/**
 * A folder inside the one that the command runs in, as plans name it: relative, with forward slashes.
 * Notes `cli/invalid-value` for other places, and for names that a Dockerfile or a kustomization would need quotes for.
 */
export function folderFlag(findings: FindingList, cwd: string, flag: string, value: string): string {
  const folder = relative(cwd, resolve(cwd, value)).split(sep).join('/');
  const isInside = folder !== '' && folder !== '..' && !folder.startsWith('../') && !isAbsolute(folder);
  if (isInside && /^\w[\w./@+-]*$/.test(folder)) return folder;
  findings.add(
    invalidFlag(
      flag,
      `${flag} is ${JSON.stringify(value)}: ${
        isInside
          ? 'it has other characters than letters, digits and "./@+-_"'
          : 'it is not a folder inside this one'
      }`,
      'name a folder inside the folder of the project; it is created if it does not exist',
    ),
  );
  return folder;
}
