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

import { createManager, operatorMain } from 'opsdk';
import { permissions } from './generated/rbac.ts';
import { memcachedController } from './controllers/cache/memcached.ts';
// +op-sdk:scaffold:imports

// Reads the command line, and stops cleanly on SIGTERM.
await operatorMain(async ({ flags, signal }) => {
  const manager = await createManager({
    name: 'basic',
    permissions,
    ...flags,
    // With --leader-elect only the replica that holds this Lease works. Keep the id: it is how replicas of all versions find each other.
    leaderElection: flags.leaderElect && { id: '0535023d.example.com' },
  });
  manager.add(memcachedController);
  // +op-sdk:scaffold:controllers
  await manager.run({ signal });
});
