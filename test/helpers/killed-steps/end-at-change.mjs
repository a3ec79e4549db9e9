// Loaded into processes under test (`node --import`): numbers their changes of files below END_BELOW, children included, and ends the
// whole process group before the change with the number END_AT. END_TORN=1: a file that is being written then has half of its content.
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const { END_BELOW: root = '', END_LOG: log = '', END_AT: at = '', END_TORN: torn = '' } = process.env;
const { appendFileSync, readFileSync, writeFileSync } = fs;

/** Changes, and which of their arguments are paths. */
const changes = {
  ...{ writeFile: [0], appendFile: [0], mkdir: [0], mkdtemp: [0], chmod: [0], truncate: [0] },
  ...{ rm: [0], rmdir: [0], unlink: [0], rename: [0, 1], copyFile: [1], cp: [1], link: [1], symlink: [1] },
};

function pathBelow(value) {
  if (typeof value !== 'string' && !(value instanceof URL)) return undefined;
  const path = resolve(value instanceof URL ? fileURLToPath(value) : value);
  return path.startsWith(root + sep) ? path : undefined;
}

function reached(name, paths, args) {
  const below = paths.map((index) => pathBelow(args[index])).filter((path) => path !== undefined);
  const path = below.at(-1);
  if (path === undefined) return;
  appendFileSync(log, `${name} ${relative(root, path)}\n`);
  if (readFileSync(log, 'utf8').split('\n').length - 1 !== Number(at)) return;
  if (torn === '1' && name === 'writeFile')
    writeFileSync(path, args[1].slice(0, args[1].length / 2), args[2]);
  process.kill(0, 'SIGKILL');
}

for (const [name, paths] of Object.entries(changes)) {
  for (const [holder, key] of [
    [fs.promises, name],
    [fs, name],
    [fs, `${name}Sync`],
  ]) {
    const original = holder[key];
    holder[key] = (...args) => {
      reached(name, paths, args);
      return original.apply(holder, args);
    };
  }
}
syncBuiltinESMExports();
