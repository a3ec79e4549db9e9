// Licensed under the Apache License, Version 2.0 (the "License");
// you may not use this file except in compliance with the License.
// You may obtain a copy of the License at
//
//     http://www.apache.org/licenses/LICENSE-2.0
//
// Unless required by applicable law or agreed to in writing, software
// distributed under the License is distributed on an "AS IS" BASIS,
// WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
// See the License for the specific language governing permissions and
// limitations under the License.

import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const opSdk = join(dirname(createRequire(import.meta.url).resolve('opsdk/package.json')), 'bin', 'op-sdk.js');

// Fails when types or controllers have changed and `op-sdk generate manifests` was not run.
it('finds the generated manifests up to date', { timeout: 120_000 }, async () => {
  const check = promisify(execFile)(process.execPath, [opSdk, 'generate', 'manifests', '--check']);
  await expect(check).resolves.toBeDefined();
});
