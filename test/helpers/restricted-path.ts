import { accessSync, constants, mkdirSync, realpathSync, symlinkSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';

/** What the GNU coreutils install, as far as a recipe could want it. */
const coreutils = [
  '[ b2sum base32 base64 basename cat chgrp chmod chown cksum comm cp csplit cut date dd df dir dirname du echo env expand',
  'expr factor false fmt fold head id install join link ln logname ls md5sum mkdir mkfifo mknod mktemp mv nice nl nohup',
  'nproc numfmt od paste pathchk pr printenv printf ptx pwd readlink realpath rm rmdir seq sha1sum sha256sum sha512sum',
  'shuf sleep sort split stat stdbuf stty sum sync tac tail tee test timeout touch tr true truncate tsort tty uname',
  'unexpand uniq unlink wc whoami yes',
]
  .join(' ')
  .split(' ');

/**
 * Makes a folder that holds node, npm, npx, make, sh and the coreutils and nothing else: the PATH of a machine on which
 * Node is the only tool. No docker, kubectl, kustomize, go, git, awk, sed or grep.
 * @returns its path, to be used as PATH
 */
export function restrictedPath(folder: string): string {
  mkdirSync(folder, { recursive: true });
  symlinkSync(process.execPath, join(folder, 'node'));
  for (const tool of ['npm', 'npx', 'make', 'sh']) {
    const found = findTool(tool);
    if (found === undefined) throw new Error(`there is no ${tool} on the PATH`);
    // npm finds its own library by the place of its script.
    symlinkSync(realpathSync(found), join(folder, tool));
  }
  for (const tool of coreutils) {
    const found = findTool(tool);
    if (found !== undefined) symlinkSync(found, join(folder, tool));
  }
  return folder;
}

/** The npm that came with the Node that runs this first: it may be another one than the PATH's. */
function findTool(name: string): string | undefined {
  const folders = [dirname(process.execPath), ...(process.env['PATH'] ?? '').split(delimiter)];
  return folders
    .filter((folder) => folder !== '')
    .map((folder) => join(folder, name))
    .find((file) => {
      try {
        accessSync(file, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
}
