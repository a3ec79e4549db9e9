import { execFileSync } from 'node:child_process';
import { symlinkSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readBundleMetadata } from '../../../../src/olm/bundle/read-metadata.ts';
import { smallBundle, writeBundle } from './validate/bundle-folder.ts';

test.each<readonly [string, (file: string) => void]>([
  ['a pipe', (file) => execFileSync('mkfifo', [file])],
  ['a device without end', (file) => symlinkSync('/dev/zero', file)],
])('%s instead of the annotations is not read', async (_what, create) => {
  const folder = join(writeBundle(smallBundle()), 'bundle');
  const file = join(folder, 'metadata/annotations.yaml');
  unlinkSync(file);
  create(file);
  await expect(readBundleMetadata(folder, 'bundle')).rejects.toThrow('not a regular file');
});
