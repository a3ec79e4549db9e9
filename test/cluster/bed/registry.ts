import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { toYaml } from '../../../src/kubernetes/yaml/to-yaml.ts';
import { supervise, type Supervised } from './supervised.ts';

/** Starts the bed's registry: plain HTTP, and all that the nodes can reach. */
export function startBedRegistry(folder: string): Supervised {
  const home = join(folder, 'registry');
  mkdirSync(home);
  const config = {
    version: 0.1,
    log: { level: 'error' },
    storage: { filesystem: { rootdirectory: join(home, 'data') } },
    http: { addr: ':5055' },
  };
  const file = join(home, 'config.yml');
  writeFileSync(file, toYaml(config));
  return supervise({ folder, name: 'registry', command: 'docker-registry', args: ['serve', file] });
}
