// Takes the place of bin/op-sdk.js in a version of op-sdk: a command that an upgrade repeats in its temporary folder runs once, and leaves
// later what it left then. Everything else runs as ever.
import { spawnSync } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';

const real = join(import.meta.dirname, 'op-sdk-itself.js');
const cwd = process.cwd();

if (basename(dirname(cwd)).startsWith('op-sdk-upgrade-')) {
  const memory = join(import.meta.dirname, '../remembered', keyOf(process.argv.slice(2)));
  if (!existsSync(memory)) remember(memory);
  for (const name of readdirSync(cwd)) rmSync(join(cwd, name), { recursive: true });
  cpSync(join(memory, 'tree'), cwd, { recursive: true });
  const { status, stdout, stderr } = JSON.parse(readFileSync(join(memory, 'end.json'), 'utf8'));
  process.stdout.write(stdout);
  process.stderr.write(stderr);
  process.exitCode = status;
} else {
  await import(real);
}

function remember(memory) {
  const draft = `${memory}.${randomUUID()}`;
  mkdirSync(draft, { recursive: true });
  const { status, stdout, stderr } = spawnSync(process.execPath, [real, ...process.argv.slice(2)], {
    encoding: 'utf8',
  });
  cpSync(cwd, join(draft, 'tree'), { recursive: true });
  writeFileSync(join(draft, 'end.json'), JSON.stringify({ status, stdout, stderr }));
  renameSync(draft, memory);
}

/** Equal for the same command in equal folders. */
function keyOf(argv) {
  const hash = createHash('sha256').update(JSON.stringify([argv, basename(cwd)]));
  for (const entry of readdirSync(cwd, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile()) hash.update(path.slice(cwd.length)).update(readFileSync(path));
  }
  return hash.digest('hex').slice(0, 16);
}
